package import FileSystem
import GStreamer
package import MovieFiles
import Synchronization
package import SystemPackage
import Threads

/// Writes one movie: takes video and audio with their times in the movie, encodes, muxes, and completes the file.
///
/// A ``TrackEncoder`` for each track hands its packets to a ``MovieMuxer``; pipelines of their own, so nothing that goes wrong in
/// them reaches a source. The file plays at every moment from the first fragment on; ``finish(within:)`` makes an ordinary movie
/// of it.
package final class MovieWriter: Sendable {
    let encoders: [TrackEncoder]
    /// `nil` where nothing is kept.
    let muxer: MovieMuxer?
    let video: AppSource?
    let audio: [AppSource]
    let file: any MovieOutputFile
    let videoPipeline: Pipeline?
    let ended: AsyncSignal
    let hasData = Atomic(false)
    /// Of the first frame, where the stream tells.
    let firstTimeCode: Locked<TimeCode?>
    let frameRate: FieldValue?
    /// Of a take little is still on its way to the disk when it ends.
    let isLive: Bool
    /// How long the pipeline gets to stop once all is written, in seconds.
    let stopTimeout: Double

    /// Builds the pipeline; nothing is created on the disk.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    package convenience init(
        _ plan: MoviePlan, destination: MovieDestination, options: MovieFileWriter.Options
    ) throws {
        let options = plan.completing(options)
        let ended = AsyncSignal()
        let muxer = try MovieMuxer(plan) { pipeline, sink in
            if !plan.isMovieFile {
                let facts = MatroskaFacts(options)
                if let muxer = pipeline.bin.element(named: "mux") { try facts.apply(to: muxer) }
                if !facts.isEmpty { _ = sink.pad("sink")?.addBufferEditor { facts.restore(&$0) } }
                sink.pad("sink")?.answerSeekable()
            }
            let isMovieFile = plan.isMovieFile
            return try WrittenOutputFile(AppSink(sink), destination: destination, onEnd: ended.fire) { descriptor in
                guard isMovieFile else { return MatroskaFileWriter(descriptor: descriptor) }
                return MovieFileWriter(descriptor: descriptor, options: options)
            }
        }
        try self.init(plan, muxer, muxer.file, ended)
    }

    /// The same into a file that is open already, such as one without a name. The plan's muxer must write it alone, so no
    /// QuickTime and no MP4. The descriptor stays the caller's.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    package convenience init(_ plan: MoviePlan, descriptor: FileDescriptor) throws {
        var plan = plan
        plan.isOpenFile = true
        let ended = AsyncSignal()
        let muxer = try MovieMuxer(plan) { _, sink in OpenOutputFile(sink, descriptor, onEnd: ended.fire) }
        try self.init(plan, muxer, muxer.file, ended)
    }

    /// Encodes the frames of a plan and keeps nothing but what the encoder itself writes down, for the second pass; that
    /// is whole when ``finish(within:)`` returns.
    package convenience init(discarding plan: MoviePlan) throws {
        var plan = plan
        (plan.isDiscarded, plan.audio) = (true, [])
        try self.init(plan, nil, NoOutputFile(), AsyncSignal())
    }

    private init(_ plan: MoviePlan, _ muxer: MovieMuxer?, _ file: any MovieOutputFile, _ ended: AsyncSignal) throws {
        (self.muxer, self.file, self.ended) = (muxer, file, ended)
        isLive = plan.purpose == .live
        frameRate = plan.video?.caps.first?["framerate"]
        // Encoders complete their statistics as they are closed.
        stopTimeout = plan.isDiscarded ? Self.diskTimeout(written: 0) : Self.timeout
        encoders = try plan.tracks.enumerated().map { index, entry in
            try TrackEncoder(plan.encoder(of: entry.track, entry.name), name: entry.name) {
                muxer?.append($0, to: index) ?? true
            } onEnd: {
                if let muxer { muxer.end(index) } else { ended.fire() }
            }
        }
        video = plan.video == nil ? nil : encoders.first?.source
        audio = encoders.dropFirst(plan.video == nil ? 0 : 1).map(\.source)
        videoPipeline = plan.video == nil ? nil : encoders.first?.pipeline
        let encoder = videoPipeline?.bin.element(named: "video-encoder")
        if let colour = plan.streamColour {
            // Before the parser, which tells the muxer what the stream says.
            _ = encoder?.pad("src")?.addBufferEditor { colour.stamp(&$0) }
        }
        if plan.lendsFrames {
            let loan = SharedFrameBuffer()
            _ = encoder?.pad("sink")?.addBufferEditor { loan.replace(&$0) }
        }
        encoder?.drainVPXWholly()
        // QuickTime's muxer (1.22) would write a track of its own in the middle of the first fragment, which no reader takes.
        let timeCode = Locked<TimeCode?>(nil)
        firstTimeCode = timeCode
        encodedVideo?.takeTimeCodes { code in timeCode.withLock { $0 = $0 ?? TimeCode(code) } }
    }

    /// Where encoded frames leave their encoder.
    var encodedVideo: Pad? { videoPipeline?.bin.element(named: "video-encoded")?.pad("sink") }

    /// All pipelines, the file's first.
    var pipelines: [Pipeline] { [muxer?.pipeline].compactMap(\.self) + encoders.map(\.pipeline) }

    /// Stops all pipelines, at the same time.
    func stop(within seconds: Double) async {
        await withTaskGroup(of: Void.self) { group in
            for pipeline in pipelines { group.addTask { await pipeline.stop(within: seconds) } }
        }
    }

    /// Starts the pipeline. The file appears with the first encoded data.
    ///
    /// - Throws: what the encoder or the disk refused.
    package func start() async throws {
        try await onOwnThread("rushes-file") { [file] in try file.open() }
        do {
            for pipeline in pipelines { try await pipeline.setState(.playing, within: 5) }
        } catch {
            await cancel()
            throw error
        }
    }

    /// The time code of the first frame, where the stream tells, as soon as that has passed.
    package var timeCode: TimeCode? { firstTimeCode.withLock { $0 } }

    /// Bytes in the file so far.
    package var bytesWritten: Int64 { file.bytesWritten }

    /// Seconds of audio that wait to be encoded or written: it grows where the disk or the encoder is too slow for it.
    package var waitingAudio: Double { audio.first?.waitingTime.seconds ?? 0 }

    /// The first thing that went wrong, or `nil`.
    package var failure: (any Error)? {
        // A file that cannot be written stops the stream, which is then reported too, in words that explain nothing; an
        // encoder's own error is what the file's is a consequence of.
        let reported = pipelines.compactMap(\.bus.failure)
        return reported.first { $0.domain != "gst-stream-error-quark" } ?? file.failure ?? reported.first
    }

    /// The same in words that stand behind "writing failed: ".
    package var failureWords: String? { failure.map(WritingFault.words) }

    /// Where the file was created or, once that was noticed, moved to; `nil` when it is complete.
    package var path: FilePath? { file.path }

    /// Where the file is by now, whatever others have done with its name. Blocks as long as the disk does.
    package var whereabouts: FileWhereabouts { file.whereabouts }
}
