import Threads
import Foundation
public import GStreamer
public import MovieFiles
import Synchronization
public import SystemPackage

/// Writes one movie: takes pictures and sound with their times in the movie, encodes, muxes, and completes the file.
///
/// It is a pipeline of its own between two pieces of Swift, so nothing that goes wrong in it reaches a source. Its file
/// plays at every moment from the first fragment on; ``finish(within:)`` makes an ordinary movie of it.
public final class MovieWriter: Sendable {
    let pipeline: Pipeline
    let video: AppSource?
    let sound: [AppSource]
    let text: [AppSource]
    let file: any MovieOutputFile
    private let ended = AsyncSignal()
    let hasData = Atomic(false)
    private let pictureRate: FieldValue?
    /// Of a take little is still on its way to the disk when it ends.
    private let isLive: Bool
    /// How long the pipeline gets to stop once all is written, in seconds.
    private let stopPatience: Double

    /// Builds the pipeline; nothing is created on the disk.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    public convenience init(
        _ plan: MoviePlan, destination: MovieDestination, options: MovieFileWriter.Options
    ) throws {
        try self.init(plan) { pipeline, sink, onEnd in
            guard plan.isMovieFile else {
                let facts = MatroskaFacts(options)
                if let muxer = pipeline.bin.element(named: "mux") { try facts.apply(to: muxer) }
                if !facts.isEmpty { _ = sink.pad("sink")?.addBufferEditor { facts.restore(&$0) } }
                return SelfContainedOutputFile(sink, destination: destination, onEnd: onEnd)
            }
            return try FragmentedOutputFile(AppSink(sink), destination: destination, options: options, onEnd: onEnd)
        }
    }

    /// The same into a file that is open already, such as one without a name. The plan's muxer must write it alone, so no
    /// QuickTime and no MP4. The descriptor stays the caller's.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    public convenience init(_ plan: MoviePlan, descriptor: FileDescriptor) throws {
        try self.init(plan) { _, sink, onEnd in OpenOutputFile(sink, descriptor, onEnd: onEnd) }
    }

    /// Encodes the pictures of a plan and keeps nothing but what the encoder itself writes down, for the second pass; that
    /// is whole when ``finish(within:)`` returns.
    public convenience init(discarding plan: MoviePlan) throws {
        var plan = plan
        plan.isDiscarded = true
        try self.init(plan) { _, sink, onEnd in NoOutputFile(sink, onEnd: onEnd) }
    }

    private init(
        _ plan: MoviePlan, file: (Pipeline, Element, @escaping @Sendable () -> Void) throws -> any MovieOutputFile
    ) throws {
        let pipeline = try plan.description.build(name: "movie")
        self.pipeline = pipeline
        isLive = plan.purpose == .live
        pictureRate = plan.video?.caps.first?["framerate"]
        // Encoders complete their statistics as they are closed.
        stopPatience = plan.isDiscarded ? Self.diskPatience(written: 0) : Self.patience
        video = try pipeline.bin.element(named: "video").map { try AppSource($0) }
        func sources(_ count: Int, _ name: (Int) -> String) throws -> [AppSource] {
            try (0..<count).compactMap { try pipeline.bin.element(named: name($0)).map { try AppSource($0) } }
        }
        sound = try sources(plan.sound.count, MoviePlan.soundName)
        text = try sources(plan.text.count, MoviePlan.textName)
        let encoder = pipeline.bin.element(named: "video-encoder")
        if let colour = plan.streamColour {
            // Before the parser, which tells the muxer what the stream says.
            _ = encoder?.pad("src")?.addBufferEditor { colour.stamp(&$0) }
        }
        if plan.lendsPictures {
            let loan = PictureLoan()
            _ = encoder?.pad("sink")?.addBufferEditor { loan.replace(&$0) }
        }
        encoder?.drainVPXWholly()
        guard let sink = pipeline.bin.element(named: "file") else {
            throw GStreamerError(element: "movie", message: "the pipeline has no end")
        }
        self.file = try file(pipeline, sink, ended.fire)
    }

    /// Starts the pipeline. The file appears with the first encoded data.
    ///
    /// - Throws: what the encoder or the disk refused.
    public func start() async throws {
        try file.open()
        do {
            try await pipeline.setState(.playing, within: 5)
        } catch {
            await cancel()
            throw error
        }
    }

    /// What became of a picture that was handed in.
    public enum PictureAnswer: Sendable { case taken, tooMany, closed }

    /// Hands a picture over, timed in the movie. Never waits: where the encoder lies `limit` pictures behind, it refuses.
    public func append(picture: Buffer, limit: Int) -> PictureAnswer {
        guard let video else { return .closed }
        guard video.waitingBuffers < limit else { return .tooMany }
        guard video.push(picture) else { return .closed }
        hasData.store(true, ordering: .relaxed)
        return .taken
    }

    /// Hands sound over, timed in the movie. Never waits and never refuses while the pipeline runs. False if it is closed.
    public func append(sound: Buffer) -> Bool {
        write(sound: sound, to: 0)
    }

    /// Changes what the following pictures are, such as their size after a camera renegotiated. Pictures of another size
    /// are fitted into the first one's; the rate stays the first one's name, as each picture has its own time.
    public func setPictureCaps(_ caps: Caps) {
        guard let rate = pictureRate, let new = caps.first, new.name == "video/x-raw" else {
            video?.setCaps(caps)
            return
        }
        video?.setCaps(Caps(new.name, new.fields.merging(["framerate": rate]) { _, first in first }))
    }

    /// No picture follows.
    public func endPictures() { video?.endOfStream() }
    /// No sound follows.
    public func endSound() { for track in sound { track.endOfStream() } }

    /// Bytes in the file so far.
    public var bytesWritten: Int64 { file.bytesWritten }

    /// Seconds of sound that wait to be encoded or written: it grows where the disk or the encoder is too slow for it.
    public var waitingSound: Double { sound.first?.waitingTime.seconds ?? 0 }

    /// The first thing that went wrong, or `nil`.
    public var failure: (any Error)? {
        // A file that cannot be written stops the stream, which is then reported too, in words that explain nothing; an
        // encoder's own error is what the file's is a consequence of.
        guard let reported = pipeline.bus.failure else { return file.failure }
        return reported.domain == "gst-stream-error-quark" ? file.failure ?? reported : reported
    }

    /// Messages of the pipeline, the first error among them.
    public func messages() -> AsyncStream<BusMessage> { pipeline.bus.messages() }

    /// How long a pipeline gets to stop, in seconds. One that hangs in an encoder is left to a thread of its own.
    static let patience = 0.5
    /// How long the disk gets for the index and what the system still holds in memory, in seconds. Of an export, which is
    /// written faster than a card takes it, that can be a fifth of the memory (vm.dirty_ratio) at five megabytes a second.
    ///
    /// - Parameters: bytes of the movie so far, and of this machine's memory.
    static func diskPatience(
        written: Int64, memory: Int64 = Int64(clamping: ProcessInfo.processInfo.physicalMemory)
    ) -> Double { 60 + Double(min(max(0, written), memory / 5)) / 5e6 }

    /// Waits for what has been handed in to be written, then completes the file and gives it its name.
    ///
    /// - Parameters:
    ///   - seconds: how long the encoders may take to hand out what they hold. After that the file is completed with what
    ///     is there.
    ///   - chapters: places named while the movie was made; QuickTime and MP4 files keep them.
    ///   - movement: for what need not end soon: a number that changes while the encoders hand something out, and then the
    ///     time begins anew; `nil` ends the waiting.
    /// - Throws: ``EncodingError`` or ``MovieFileError`` if no playable file could be left.
    public func finish(
        within seconds: Double, chapters: [MovieInfo.Chapter] = [],
        movement: @escaping @Sendable () -> Int? = { 0 }
    ) async throws -> FinishedFile {
        guard hasData.load(ordering: .relaxed) else {
            // Some muxers take an end without a beginning for a fault, so they are not asked.
            await cancel()
            throw failure ?? nothingRecorded
        }
        endPictures()
        endSound()
        for track in text { track.endOfStream() }
        let messages = pipeline.bus.messages()
        let failed = Task { [ended] in
            for await message in messages {
                guard case .error = message.content else { continue }
                // What is past the fault may still reach the file.
                try? await Task.sleep(for: .seconds(Self.patience))
                ended.fire()
            }
        }
        let isFlushed = await isFlushed(within: seconds, movement)
        failed.cancel()
        let failure = self.failure
        // One that failed or hangs may still write: it is stopped before the index is made. Else the index goes first.
        let isWhole = isFlushed && failure == nil
        if !isWhole { await pipeline.stop(within: Self.patience) }
        let file = self.file
        let patience = Self.diskPatience(written: isLive ? 0 : file.bytesWritten)
        let timeout = EncodingError(
            .writeFailed, "The disk has not answered for \(Int(patience)) seconds, so the movie is not complete.")
        let outcome = await onOwnThread("rushes-finish", orAfter: patience, otherwise: .failure(timeout)) {
            Result { try file.finish(chapters: chapters, isWhole: isWhole) }
        }
        if isWhole { await pipeline.stop(within: stopPatience) }
        do {
            var finished = try outcome.get()
            if !isFlushed {
                finished.problem = finished.problem ?? "The encoder did not finish within \(seconds) seconds."
            }
            return finished
        } catch let error as EncodingError where error.code == .nothingRecorded {
            // Why there is nothing says more than that there is nothing.
            throw failure ?? error
        }
    }

    private func isFlushed(within seconds: Double, _ movement: @Sendable () -> Int?) async -> Bool {
        var (last, still) = (movement(), 0.0)
        while still < seconds {
            let step = min(1, seconds - still)
            if await ended.wait(seconds: step) { return true }
            guard let now = movement() else { return false }
            still = now == last ? still + step : 0
            last = now
        }
        return false
    }
}

/// A completed file.
public struct FinishedFile: Sendable, Equatable {
    /// Where the movie is.
    public var path: FilePath
    /// Its size in bytes.
    public var size: Int64
    /// Whether the index could be completed; otherwise the file is the fragments, which play.
    public var isComplete: Bool
    /// What kept it from being complete or whole, or `nil`.
    public var problem: String?
}
