import FileSystem
import GStreamer
package import MovieFiles
import Synchronization
package import SystemPackage
import Threads

/// Writes one movie: takes video and audio with their times in the movie, encodes, muxes, and completes the file.
///
/// A ``TrackEncoder`` for each track hands its packets to a ``MovieSequence`` of files; pipelines of their own, so nothing that goes
/// wrong in them reaches a source. A file plays at every moment from its first fragment on; ``finish(within:)`` makes an
/// ordinary movie of it.
package final class MovieWriter: Sendable {
    /// `nil` where nothing is written.
    let sequence: MovieSequence?
    /// The last packets, where they are kept in memory.
    let history: PacketHistory?
    /// How much later than it is presented a packet's time is, for each track.
    let priming: [MediaTime]
    /// Fires at the end where nothing is kept.
    let discarded = AsyncSignal()
    let video: VideoTrackEncoder?
    let audioEncoders: [TrackEncoder]
    let audio: [AppSource]
    let plan: MoviePlan
    let parts: FinishedParts
    /// Who else gets this one's audio.
    let sharedAudio = SharedAudio()
    /// Why a frame could not be changed that had to be.
    let editFailure = Locked<(any Error)?>(nil)
    /// The movie's time up to which samples have been handed in, in nanoseconds.
    let reached = Atomic<Int64>(0)
    let hasData = Atomic(false)
    /// Whether a frame was refused, and no key frame has come since.
    let lacksReference = Atomic(false)
    let hasLeft = Atomic(false)
    /// How many steps faster than planned its encoder is.
    let speed = Atomic(0)
    /// The first track whose audio another writer encodes.
    let firstSharedAudio: Int?
    /// When the files' first frames were taken.
    let firstFrame: FirstFrame
    let frameRate: FieldValue?
    /// Whether it is a recording, of which little is still to be written to the disk at its end.
    let isLive: Bool
    /// How long the pipeline gets to stop once all is written.
    let stopTimeout: Duration

    /// Builds the pipelines; nothing is created on the disk.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    ///
    /// - Parameter history: the last packets that are kept in memory, for ``save(_:to:options:chapters:)``.
    package convenience init(
        _ plan: MoviePlan, destination: MovieDestination, options: MovieFileWriter.Options,
        keeping history: KeptHistory? = nil
    ) throws {
        let firstFrame = FirstFrame(options)
        try self.init(
            plan, MovieMuxer(plan, destination: destination, options: options, firstFrame: firstFrame), firstFrame,
            audioPriming: options.audioPriming, keeping: history)
    }

    /// Encodes what comes and writes nothing until ``begin(_:options:at:preRoll:)``.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    package convenience init(
        standby plan: MoviePlan, options: MovieFileWriter.Options, keeping history: KeptHistory
    ) throws {
        try self.init(plan, nil, FirstFrame(options), audioPriming: options.audioPriming, keeping: history)
    }

    /// The same into a file that is open already, such as one without a name. The plan's muxer must write it alone, so no
    /// QuickTime and no MP4. The descriptor stays the caller's.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    package convenience init(_ plan: MoviePlan, descriptor: FileDescriptor) throws {
        var plan = plan
        plan.isOpenFile = true
        try self.init(plan, MovieMuxer(plan) { OpenOutputFile($1, descriptor, onEnd: $2.fire) })
    }

    /// Writes the frames of a plan with the audio of another writer, which encodes it: its tracks are the plan's. Neither has been
    /// started.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    package convenience init(
        _ plan: MoviePlan, sharingAudioOf other: MovieWriter, destination: MovieDestination,
        options: MovieFileWriter.Options
    ) throws {
        var plan = plan
        plan.audio = other.plan.audio
        let firstFrame = FirstFrame(options)
        try self.init(
            plan, MovieMuxer(plan, destination: destination, options: options, firstFrame: firstFrame), firstFrame,
            audioPriming: options.audioPriming, hasOwnAudio: false)
        if let sequence { other.sharedAudio.add(sequence, firstTrack: plan.video == nil ? 0 : 1) }
    }

    /// Encodes the frames of a plan and keeps nothing but what the encoder itself writes down, for the second pass; that
    /// is whole when ``finish(within:)`` returns.
    package convenience init(discarding plan: MoviePlan) throws {
        var plan = plan
        (plan.isDiscarded, plan.audio) = (true, [])
        try self.init(plan, nil)
    }

    private init(
        _ plan: MoviePlan, _ muxer: MovieMuxer?, _ firstFrame: FirstFrame = FirstFrame(), audioPriming: Int = 0,
        hasOwnAudio: Bool = true, keeping kept: KeptHistory? = nil
    ) throws {
        (self.plan, self.firstFrame) = (plan, firstFrame)
        isLive = plan.purpose == .live
        firstSharedAudio = hasOwnAudio || plan.audio.isEmpty ? nil : plan.video == nil ? 0 : 1
        frameRate = plan.video?.caps.first?["framerate"]
        // Encoders complete their statistics as they are closed.
        stopTimeout = plan.isDiscarded ? MovieMuxer.diskTimeout(written: 0) : Self.timeout
        let parts = FinishedParts()
        self.parts = parts
        let priming = plan.priming(audioPriming)
        let sequence =
            plan.isDiscarded ? nil : MovieSequence(muxer, priming: priming) { parts.complete($0, before: $1) }
        let history = sequence.flatMap { sequence in
            kept.map { PacketHistory($0, sequence, priming: priming, isStandby: muxer == nil) }
        }
        (self.sequence, self.history, self.priming) = (sequence, history, priming)
        let route = PacketRoute(
            history: history, sequence: sequence, discarded: discarded, sharedAudio: sharedAudio,
            firstAudio: plan.video == nil ? 0 : 1)
        video = try plan.video.map { track in
            try VideoTrackEncoder(plan, track) { pipeline in
                plan.prepare(pipeline) { firstFrame.note($0, at: $1) }
            } onPacket: {
                route.append($0, of: 0)
            } onEnd: {
                route.end(0)
            }
        }
        audioEncoders =
            try !hasOwnAudio
            ? []
            : plan.audio.enumerated().map { index, track in
                let place = route.firstAudio + index
                let encoder = try TrackEncoder(
                    plan.encoder(of: track, MoviePlan.audioName(index)), name: MoviePlan.audioName(index),
                    isLive: plan.purpose == .live
                ) {
                    route.append($0, of: place)
                } onEnd: {
                    route.end(place)
                }
                plan.prepareAudio(encoder.pipeline, index, priming: priming[place])
                return encoder
            }
        audio = audioEncoders.map(\.source)
    }

    /// All that there are.
    var encoders: [TrackEncoder] { (video?.encoders ?? []) + audioEncoders }

    /// All pipelines, the files' first.
    var pipelines: [Pipeline] { (sequence?.all.map(\.pipeline) ?? []) + encoders.map(\.pipeline) }

    /// The file that ends with the movie.
    var file: (any MovieOutputFile)? { sequence?.last?.file }

    /// Stops all pipelines, at the same time.
    func stop(within limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            for pipeline in pipelines { group.addTask { await pipeline.stop(within: limit) } }
        }
    }

    /// Starts the pipelines. The file appears with the first encoded data.
    ///
    /// - Throws: what the encoder or the disk refused.
    package func start() async throws {
        try await sequence?.last?.start()
        do {
            for encoder in encoders { try await encoder.pipeline.setState(.playing, within: .seconds(5)) }
        } catch {
            await cancel()
            throw error
        }
    }
}
