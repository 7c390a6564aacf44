package import GStreamer
import MediaTypes
package import MovieFiles
import Workarounds

/// Makes the plan of a movie from what is asked for, what comes in, and what is installed.
package struct MoviePlanner: Sendable {
    /// What frames are handed in.
    package struct Frames: Sendable, Equatable {
        /// What the frames are.
        package var caps: Caps
        /// The camera's promise, where the caps do not name a rate.
        package var rate: Fraction?
        /// Frames a second that come, where the movie shows more in a second than that: a timelapse. `nil`: as many.
        package var arrivalRate: Double?
        /// Whether frames that are copied may come in another order than they are shown.
        package var isReordered: Bool

        /// - Parameter rate: frames a second, where the caps do not say.
        package init(caps: Caps, rate: Fraction? = nil, arrivalRate: Double? = nil, isReordered: Bool = false) {
            (self.caps, self.isReordered) = (caps, isReordered)
            (self.rate, self.arrivalRate) = (rate, arrivalRate)
        }
    }

    /// What audio is handed in.
    package struct Audio: Sendable, Equatable {
        /// What the audio is.
        package var caps: Caps
        /// How many the audio has.
        package var channels: Int
        /// Samples a second.
        package var rate: Int
        /// What its track tells about itself.
        package var attributes = TrackAttributes()

        /// - Parameter rate: samples a second.
        package init(caps: Caps, channels: Int, rate: Int) {
            self.caps = caps
            self.channels = channels
            self.rate = rate
        }
    }

    /// A plan, and why it is so.
    package struct Planned: Sendable {
        /// What a writer makes the movie from.
        package var plan: MoviePlan
        /// What a QuickTime or MP4 file says beside its samples.
        package var options: MovieFileWriter.Options
        /// Of the frames, if there are any.
        package var videoCodec: VideoCodec?
        /// The choice in one line for people.
        package var summary: String
        /// Silence that the audio encoder puts in front and that no edit list takes away: Matroska has none, and
        /// matroskamux (1.22) writes no CodecDelay for AAC. The audio has to be handed in that much earlier.
        package var unmarkedPriming = MediaTime.zero
        /// What was tried and did not work, a line each.
        package var notes: [String]
    }

    let tables: EncoderTables
    let settings: MovieSettings
    let container: Container
    /// How much of the cores is for this movie, above 0 to 1, where others are encoded at the same time.
    package var cpuShare: Double

    /// - Parameter cpuShare: how much of the cores is for this movie, above 0 to 1, where others are encoded at the same time.
    /// - Throws: ``RushesError`` if the encoder tables cannot be found.
    package init(settings: MovieSettings, container: Container, cpuShare: Double = 1) throws {
        self.cpuShare = cpuShare
        tables = try EncoderTables(PipelineFiles.find())
        self.settings = settings
        self.container = container
    }

    /// - Parameters:
    ///   - audio: a track of each, the first of which players play.
    ///   - frame: one of the frames. With it a software encoder that may be too slow is tried for a quarter of a second
    ///     where there is another one.
    ///   - triesHardware: whether a hardware encoder is opened for a moment before it is relied on.
    /// - Throws: ``RushesError`` with the cure if no encoder fits.
    package func plan(
        frames: Frames?, audio: [Audio], trying frame: Buffer? = nil, triesHardware: Bool = true
    ) async throws -> Planned {
        if frames != nil { try ContainerRules.checkVideo(in: container) }
        var video: PlannedEncoding?
        if let frames { video = try await planVideo(frames, trying: frame, triesHardware: triesHardware) }
        let planned = try audio.compactMap { try planAudio($0, beside: video?.codec) }
        let (main, priming) = (planned.first, planned.first?.priming ?? 0)
        try ContainerRules.check(
            video: video?.codec, audio: main?.codec ?? .none, in: container,
            rotation: settings.orientation.rotation.rawValue,
            isMirrored: settings.orientation.isMirrored)
        var plan = MoviePlan(
            muxer: container.muxer, isMovieFile: container.isMovieFile, video: video?.track,
            audio: planned.map(\.track),
            streamColor: StreamColor(video?.codec, video?.colour), audioFile: container.audioFile,
            majorBrand: container.majorBrand)
        // A device has few buffers, and one that waits for them stands still.
        plan.lendsFrames = video?.isLent ?? false
        return Planned(
            plan: plan,
            options: MovieFileWriter.Options(
                orientation: settings.orientation, metadata: settings.metadata, audioPriming: priming),
            videoCodec: video?.codec,
            summary: [video?.reason, main?.reason].compactMap(\.self).joined(separator: "; "),
            unmarkedPriming: container.isMovieFile
                ? .zero : MediaTime(seconds: Double(priming) / Double(audio.first?.rate ?? 48000)),
            notes: video?.notes ?? [])
    }

    /// Loads the plugins of the muxer and of the encoders of this audio, which link with more than a hundred libraries. Blocks.
    ///
    /// Not loaded before, they are when the movie's pipelines are made: 40 ms for AAC, in which a camera that runs gives a frame or two.
    package func loadPlugins(for audio: [Audio]) {
        let nodes = audio.compactMap { try? planAudio($0, beside: settings.videoCodec)?.track.nodes }.joined()
        for case .element(let name, _, _) in [.make(container.muxer)] + nodes { ElementFactory(name)?.load() }
    }

    private func planAudio(
        _ audio: Audio, beside video: VideoCodec?
    ) throws -> (track: MoviePlan.Track, codec: AudioCodec, priming: Int, reason: String)? {
        let codec = settings.audioCodec(in: container, beside: video)
        guard codec != .none else { return nil }
        let request = AudioRequest(
            codec: codec, channels: audio.channels, sampleRate: audio.rate, bitrate: settings.audioBitrate,
            bitDepth: settings.audioBitDepth, container: container)
        // The tables name at least one encoder, or throw.
        guard let encoder = try tables.audioEncoders(for: request).first else { return nil }
        try encoder.check(bitrate: settings.audioBitrate)
        // Each channel is to come out at its own speaker.
        let names = SpeakerLayout.nodes(audio.caps, channels: audio.channels, for: encoder).nodes
        var track = MoviePlan.Track(
            caps: audio.caps, nodes: names + (try encoder.nodes(for: names.isEmpty ? audio.caps : nil)))
        track.attributes = audio.attributes
        return (track, codec, container.priming(of: codec, encoder), encoder.reason)
    }
}
