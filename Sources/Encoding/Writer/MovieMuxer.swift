import FileSystem
import GStreamer
import MovieFiles
import Synchronization
import Threads
import Workarounds

/// Puts encoded packets into one file, in a pipeline of its own. The file plays at every moment from its first fragment on.
final class MovieMuxer: Sendable {
    let pipeline: Pipeline
    let file: any MovieOutputFile
    /// Fires when all that came is in the file, or nothing more can come.
    let ended: AsyncSignal
    private let inputs: [AppSource]
    private let beginning: Locked<MediaTime>
    /// The recording's time at which another file follows.
    private let following: Locked<MediaTime?>
    /// Whether its first packets need not be the tracks' first.
    private let isLater = Atomic(false)
    private let starts: StartTimes
    /// Whether the frames' encoder may change, and what the first frame was and what the last.
    private let mayChangeEncoder: Bool
    private let descriptions = Locked<(first: Caps, last: Caps)?>(nil)
    /// Where frames go past the muxer, which makes their head only.
    private let frames: FrameFragments?
    /// What a head is dated by that the muxer writes with its first packet; `nil` where that is done later.
    private let dates: FirstFrame?
    private let isDated = Atomic(false)

    /// Builds the pipeline; nothing is created on the disk.
    ///
    /// - Parameter file: makes the file for the muxer's last element, and the signal fires with its end.
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    init(
        _ plan: MoviePlan, starts: StartTimes = StartTimes(), beginning: Locked<MediaTime> = Locked(.zero),
        following: Locked<MediaTime?> = Locked(nil), dates: FirstFrame? = nil,
        file: (Pipeline, Element, AsyncSignal) throws -> any MovieOutputFile
    ) throws {
        let pipeline = try plan.muxing.build(name: "movie")
        self.pipeline = pipeline
        if plan.purpose == .live { pipeline.raiseThreads(to: .transfer) }
        inputs = try plan.tracks.map { track in
            guard let source = pipeline.bin.element(named: "\(track.name)-packets") else {
                throw GStreamerError(element: track.name, message: "the muxer has no such input")
            }
            return try AppSource(source)
        }
        guard let sink = pipeline.bin.element(named: "file") else {
            throw GStreamerError(element: "movie", message: "the pipeline has no end")
        }
        (self.starts, self.beginning, self.following, self.dates) = (starts, beginning, following, dates)
        mayChangeEncoder = plan.mayChangeEncoder
        ended = AsyncSignal()
        frames = plan.writesEachFrame && plan.isMovieFile ? FrameFragments(plan) : nil
        self.file = try file(pipeline, sink, frames?.headEnd ?? ended)
    }

    /// The same for a file that does not exist yet.
    ///
    /// - Parameter firstFrame: what is known of the first frame of a file, by the recording's time at which that begins.
    convenience init(
        _ plan: MoviePlan, destination: MovieDestination, options: MovieFileWriter.Options, firstFrame: FirstFrame
    ) throws {
        var options = plan.completing(options)
        options.hasOwnFragments = plan.writesEachFrame
        let (starts, beginning, known) = (StartTimes(), Locked(MediaTime.zero), options.startTimes)
        let following = Locked<MediaTime?>(nil)
        options.startTimes = { known().merging(starts.all) { $1 } }
        options.beginning = { firstFrame.ofFile(beginningAt: beginning.withLock { $0 }) }
        options.end = { following.withLock { $0 }.map { $0 - beginning.withLock { $0 } } }
        options.majorBrand = plan.majorBrand
        options.mayChangeEncoder = plan.mayChangeEncoder
        let completed = options
        let (isMovieFile, audioFile) = (plan.isMovieFile, plan.audioFile)
        try self.init(
            plan, starts: starts, beginning: beginning, following: following,
            dates: plan.isMatroska ? firstFrame : nil
        ) { pipeline, sink, ended in
            if plan.isMatroska {
                let attributes = MatroskaMuxerTags(completed, tracks: plan.matroskaAttributes)
                let muxer = pipeline.bin.element(named: "mux")
                if let muxer { try attributes.apply(to: muxer) }
                sink.pad("sink")?.restore(
                    attributes, header: plan.video?.bitmapHeader, color: completed.color, view: completed.view,
                    framesTo: muxer?.pad("video_0"),
                    display: { MasteringDisplay($0) })
                sink.pad("sink")?.answerSeekable()
            }
            return try WrittenOutputFile(AppSink(sink), destination: destination, onEnd: ended.fire) { descriptor in
                if let audioFile { return AudioFileWriter(audioFile, descriptor: descriptor, options: completed) }
                guard isMovieFile else { return MatroskaFileWriter(descriptor: descriptor, options: completed) }
                return destination.isContinued
                    ? try MovieFileWriter(continuing: descriptor, options: completed)
                    : MovieFileWriter(descriptor: descriptor, options: completed)
            }
        }
    }

    /// The recording's time at which this file begins.
    var begin: MediaTime { beginning.withLock { $0 } }

    /// Says so, before the first packet.
    func begin(at time: MediaTime) {
        beginning.withLock { $0 = time }
        isLater.store(true, ordering: .releasing)
        for input in inputs { input.element.pad("src")?.setOffset(-time) }
    }

    /// Says where another file follows, or the movie ends, before this one is completed: its last frame lasts until then, also where later
    /// ones were lost.
    func isFollowed(at time: MediaTime) { following.withLock { $0 = time } }

    /// Takes a packet of a track, with the caps and the segment that say what it means. Waits where the disk is behind. False
    /// if the file takes no more.
    ///
    /// - Parameter priming: how much later the packet's time is than it is presented.
    func append(_ packet: Sample, to track: Int, priming: MediaTime) -> Bool {
        let begin = begin
        if let frames { return frames.append(packet, to: file, beginningAt: begin) { inputs[track] } }
        date()
        if isLater.load(ordering: .acquiring), let time = packet.runningTime {
            starts.note(time - priming - begin, track)
        }
        return inputs[track].push(mayChangeEncoder && track == 0 ? described(packet) : packet)
    }

    /// Tells Matroska's muxer when the first frame was taken, which is known by the first packet; its head has no other time.
    private func date() {
        guard let dates, !isDated.exchange(true, ordering: .relaxed),
            let date = dates.ofFile(beginningAt: begin).date
        else { return }
        try? pipeline.bin.element(named: "mux")?.setMatroskaDate(date)
    }

    /// A frame of another encoder as the muxer began with them: it takes no other description, and the file adds to its own what is
    /// new.
    private func described(_ packet: Sample) -> Sample {
        guard let caps = packet.caps, let buffer = packet.buffer else { return packet }
        let (first, isNew) = descriptions.withLock { known in
            guard let (first, last) = known else {
                known = (caps, caps)
                return (caps, false)
            }
            known = (first, caps)
            return (first, last != caps)
        }
        if isNew, let data = caps.codecData { file.describe(codecData: data) }
        return first == caps ? packet : packet.with(buffer, first)
    }

    /// Of a track, for the others or the disk.
    func waitingTime(of track: Int) -> MediaTime { inputs[track].waitingTime }

    /// No packet follows in a track.
    func end(_ track: Int) {
        inputs[track].endOfStream()
        // All that came is in the file.
        if frames != nil { ended.fire() }
    }

    /// No packet follows in any track, whether it has come to its end or not: what waits for one that hangs is written without it.
    func endAll() { for input in inputs { input.endOfStream() } }

    /// Waits for what has been handed in to be in the file, as long as bytes are written.
    func waitForEnd(within limit: Duration) async {
        _ = await ended.wait(whileStillFor: limit) { [file] in Int(file.bytesWritten) }
    }

    /// Wakes who waits for room.
    func wake() { for input in inputs { OwnThread.run("rushes-wake") { input.element.stop() } } }

    /// When the tracks of a file begin that does not begin with the movie.
    final class StartTimes: Sendable {
        private let times = Locked<[Int: MediaTime]>([:])

        /// The first of a track counts.
        func note(_ time: MediaTime, _ track: Int) {
            times.withLock { if $0[track] == nil { $0[track] = time } }
        }

        var all: [Int: MediaTime] { times.withLock { $0.mapValues { max(.zero, $0) } } }
    }
}
