import Composition
import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles

/// Everything that is needed to write one export: a value, which can be printed as a pipeline.
struct ExportPlan: Sendable {
    var movie: MoviePlan
    var options = MovieFileWriter.Options()
    /// The choice in one line for people.
    var summary: String
    var notes = PlanNotes()
    /// Whether a hardware encoder is to write, whose failure another one can mend.
    var usesHardware = false
    /// The first of two passes, which writes no file.
    var isFirstPass = false
    /// What makes SDR of the frames before the encoder gets them; nil: they stay as they are.
    var toneMapper: FrameGrader?
    /// Which part of the whole work it is, from 0 to 1, and that in words.
    var share = 0.0..<1
    var step: String?
    /// Frames a second of the audio tracks that are encoded; empty where some are copied.
    var audioRates: [Int] = []
    /// Channels of the audio tracks; nil of one that is copied.
    var audioChannels: [Int?] = []
    /// The constant rate of the frames; nil: they keep the input's own times.
    var rate: Fraction?
    /// What the frames are that become an animated image.
    var animation: AnimationLayout?
    /// By how much frames and text are shown later, as the audio encoder's priming stays in the file: no edit list removes it.
    var delay: MediaTime = .zero
}

/// Makes the plan of an export from what is wanted, what the input really is, and what is installed.
struct ExportPlanner: Sendable {
    var target: ExportTarget
    let properties: InputProperties
    let tables: EncoderTables

    init(target: ExportTarget, properties: InputProperties, tables: EncoderTables) {
        var properties = properties
        // Filters get them turned.
        if target.filters.video != nil { properties.orientation = .upright }
        (self.target, self.properties, self.tables) = (target, properties, tables)
    }

    /// - Parameter software: whether hardware encoders are passed over.
    /// - Throws: ``RushesError`` with the cure if something does not fit.
    func plan(
        video: OpenedTrack?, audio: [OpenedTrack], software: Bool
    ) async throws -> ExportPlan {
        if video != nil { try ContainerRules.checkVideo(in: target.container) }
        for track in [video].compactMap(\.self) + audio { try track.checkKind() }
        var notes = PlanNotes()
        var frame = try await video.asyncMap { notes.take(try await planVideo($0, software: software)) }
        frame?.track.attributes = video.map(attributes(of:)) ?? TrackAttributes()
        frame?.track.attributes.isDefault = nil
        var all: [PlannedAudio] = []
        for (index, track) in audio.enumerated() {
            all.append(notes.take(try planAudio(track, index, beside: frame?.codec)))
            all[index].track.attributes = attributes(of: track)
        }
        var tracks = withDefault(all)
        notes.add(target.container.keepRoles(&frame, &tracks))
        guard frame != nil || target.container != .gif else {
            throw RushesError(.badInput, "There is no video that a GIF could be made of.")
        }
        guard frame != nil || !tracks.isEmpty else {
            let isDropped = target.settings.audio == .codec(.none)
            if isDropped || target.settings.audioTracks == TrackSelection.none {
                let option = isDropped ? Term.audioCodec : .audioTrack
                throw RushesError(
                    .invalidSettings, "There is only audio, and \(option) none leaves it out; leave \(option) out.")
            }
            throw RushesError(.badInput, "There is neither video nor audio that could be exported.")
        }
        var plan = ExportPlan(
            movie: MoviePlan(
                muxer: target.container.muxer, isMovieFile: target.container.isMovieFile, video: frame?.track,
                audio: tracks.map(\.track),
                streamColor: frame?.streamColor, purpose: .export, audioFile: target.container.audioFile,
                majorBrand: target.container.majorBrand),
            summary: ([frame?.reason].compactMap(\.self) + tracks.map(\.reason)).uniqued.joined(separator: "; "),
            notes: notes, usesHardware: frame?.isHardware ?? false)
        if !audio.contains(where: \.track.isCopied) { plan.audioRates = tracks.map(\.rate) }
        plan.audioChannels = tracks.map(\.channels)
        plan.toneMapper = frame?.toneMapper
        plan.movie.lendsFrames = frame?.isLent ?? false
        (plan.rate, plan.animation) = (frame?.rate, frame?.animation)
        if case .first? = frame?.pass { plan.isFirstPass = true }
        if let animation = target.animation {
            (plan.isFirstPass, plan.share, plan.step) = (true, animation.share, animation.step)
        }
        if let round = target.round {
            plan.share = round.share(isFirstPass: plan.isFirstPass, frame?.firstPassShare ?? 0.5)
            plan.step = round.words(isFirstPass: plan.isFirstPass)
        }
        if let step = target.step { (plan.share, plan.step) = step }
        let priming = tracks.first?.priming ?? 0
        var metadata = properties.metadata
        let delay = (target.settings.parts?.first ?? target.settings.range)?.start ?? .zero
        metadata.broadcast?.delay = delay
        metadata.production =
            target.container == .wav
            ? metadata.production?.later(
                by: delay, rate: plan.audioRates.first, channels: plan.audioChannels.first ?? nil)
            : nil
        plan.options = MovieFileWriter.Options(metadata: metadata, audioPriming: priming)
        if target.container.isOgg { plan.options.streamHeaders = tracks.first?.streamHeaders ?? [] }
        if target.container.isMovieFile {
            if target.settings.rotation == .keep { plan.options.orientation = properties.orientation }
        } else if let first = tracks.first, priming > 0 {
            plan.delay = MediaTime(seconds: Double(priming) / Double(first.rate))
        }
        if let video, frame?.toneMapper == nil { plan.options.light = light(of: video) }
        plan.options.color = frame?.color
        plan.movie.view = frame?.view ?? ImmersiveView()
        plan.options.chapters = chapters
        if target.container == .gif, !chapters.isEmpty {
            plan.notes.add(
                chapters.count == 1
                    ? "The chapter was left out: GIF has none."
                    : "The \(chapters.count) chapters were left out: GIF has none.")
        }
        let told = properties.timeCode?.advanced(by: target.settings.range?.start ?? .zero)
        let timeCode = target.tempo == 1 ? told : nil
        if let told, timeCode == nil {
            plan.notes.add("The time code (\(told)) was left out: it counts the frames of the input.")
        }
        plan.options.beginning = { .init(timeCode: timeCode) }
        plan.options.chapterEnd = ExportTimeRange.length(target.settings.range, duration: properties.duration)?
            .shown(atSpeed: target.tempo)
        return plan
    }

    /// Plans the same input with other settings.
    ///
    /// - Throws: what ``ExportTarget`` does.
    func planning(_ settings: ExportSettings) throws -> ExportPlanner {
        var planner = self
        planner.target = try ExportTarget(settings, container: target.container, files: try PipelineFiles.find())
        (planner.target.tracks, planner.target.burntSubtitles) = (target.tracks, target.burntSubtitles)
        planner.target.addedSubtitles = target.addedSubtitles
        return planner
    }

    /// What the input's index says, which names more languages than demuxers do, or else the demuxer.
    private func attributes(of opened: OpenedTrack) -> TrackAttributes {
        let track = opened.track
        func isNamed(_ suffix: String) -> Bool { track.stream.identifier?.hasSuffix(suffix) ?? false }
        let told =
            properties.tracks.first { isNamed($0.key) }?.value
            ?? properties.declared.first { isNamed($0.suffix) }?.attributes
        var attributes = told ?? TrackAttributes()
        let described = properties.description?.words(of: track.stream.kind, track.stream.index).language
        attributes.language = attributes.language ?? (track.language ?? described).flatMap { TrackLanguage($0) }
        if told == nil {
            attributes.title = track.title
            attributes.isDefault = properties.container == .matroska ? track.pad.isSelected : nil
        }
        if target.settings.stripsMetadata == true { attributes.title = nil }
        return attributes
    }

    /// Of several audio tracks one is played without being asked: the first that the input names. Where it names all or none, nothing
    /// is said. Of those that were chosen it is the first.
    private func withDefault(_ tracks: [PlannedAudio]) -> [PlannedAudio] {
        let chosen: Int?
        if target.tracks.ordersAudio {
            chosen = tracks.count > 1 ? 0 : nil
        } else {
            let isTold = tracks.contains { $0.track.attributes.isDefault == false }
            chosen = isTold ? tracks.firstIndex { $0.track.attributes.isDefault == true } : nil
        }
        return tracks.enumerated().map { index, audio in
            var audio = audio
            audio.track.attributes.isDefault = chosen.map { index == $0 }
            return audio
        }
    }

    /// Those of the part that is taken, from its beginning on.
    var chapters: [MovieInfo.Chapter] {
        let (start, end) = (target.settings.range?.start ?? .zero, target.settings.range?.end ?? .max)
        let inside = properties.chapters.filter { $0.start < end }
        // The one that the part begins in begins with it. Several may begin at one time, all but one of no length.
        let first =
            inside.firstIndex { $0.start == start } ?? inside.lastIndex { $0.start < start } ?? inside.startIndex
        return inside[min(first, inside.endIndex)...].map {
            MovieInfo.Chapter(start: max(.zero, $0.start - start).shown(atSpeed: target.tempo), title: $0.title)
        }
    }
}

extension OpenedTrack {
    /// - Throws: ``RushesError`` for what the demuxer has no name for, damaged or newer than it is.
    fileprivate func checkKind() throws(RushesError) {
        guard caps.first?.name.hasSuffix("/x-unknown") == true else { return }
        throw track.stream.kind == .video
            ? RushesError(
                .badInput, "The video is of an unknown kind; copy the file again from its source.")
            : RushesError(
                .badInput, "The audio is of an unknown kind; leave it out with \(Term.audioCodec) none.")
    }
}

extension Optional {
    /// The same as `map`, for what suspends.
    func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        if let self { try await transform(self) } else { nil }
    }
}

extension [String] {
    /// Each once, in its first place.
    var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
