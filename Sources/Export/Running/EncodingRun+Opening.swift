import Encoding
import Errors
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// Finds out what the input really holds, and plans what becomes of it.
extension EncodingRun {
    /// The input's tracks, and what is to become of them.
    struct Opened: Sendable {
        var plan: ExportPlan
        var tracks: [OpenedTrack]
        /// Streams of which not one sample came.
        var empty: [SourceStream]
    }

    func plan(_ source: any FrameSource, software: Bool) async throws -> Opened {
        try await source.open()
        let found = try await Self.openTracks(source)
        if let reason = await source.completion(found, status) { throw reason }
        let chosen = try choose(among: found)
        let filters = planner.target.filters
        let tracks = try await onOwnThread("rushes-filters") { try chosen.filtered(by: filters) }
        try source.check(tracks)
        var plan = try await planner.plan(
            video: tracks.video, audio: tracks.audio, software: software)
        if planner.target.container.audioFile != nil, tracks.audio.count < found.audio.count {
            plan.notes.add("Further audio was left out: \(planner.target.container.displayName) holds one track.")
        }
        plan.notes.add(try await onOwnThread("rushes-subtitles") { [omittedSubtitles].compactMap(\.self) })
        plan.notes.add((source.omissions(in: planner.target.container) + lostMetadata(of: plan)).uniqued)
        if settings.channels != nil, tracks.audio.isEmpty {
            plan.notes.add("There is no audio whose channels could be changed.")
        }
        let empty = source.tracks.filter { track in
            track.stream.kind != .text
                && !found.contains {
                    ($0.track.stream.kind, $0.track.stream.index) == (track.stream.kind, track.stream.index)
                }
        }
        return Opened(plan: plan, tracks: tracks, empty: empty.map(\.stream))
    }

    /// Of the audio only what is wanted; the rest goes to waste behind its decoder.
    private func choose(among found: [OpenedTrack]) throws -> [OpenedTrack] {
        var chosen = try planner.target.tracks.chosen(of: found, in: context.input.displayName)
        if planner.target.container.audioFile != nil {
            chosen = chosen.filter { $0.track.stream.kind != .audio } + chosen.audio.prefix(1)
        }
        for track in found.audio
        where !chosen.audio.contains(where: { $0.track.stream.index == track.track.stream.index }) {
            try track.track.sink.discardSamples()
        }
        return chosen
    }

    /// Fetches the first sample of each track.
    static func openTracks(_ source: any FrameSource) async throws -> [OpenedTrack] {
        var found: [(track: MediaReader.Track, first: Sample)] = []
        for track in source.tracks {
            if let first = try await source.firstSample(of: track) { found.append((track, first)) }
        }
        // Only when all tracks have begun it is known when the file does.
        return found.map { OpenedTrack(track: $0, first: $0.sink.placed($1)) }
    }

    /// What is said of subtitles that the index tells, where the output holds audio alone. Blocks.
    private var omittedSubtitles: String? {
        let container = planner.target.container
        guard !container.holdsVideo || container == .gif, context.properties.hasOwnSubtitles,
            let file = context.input.original,
            let tracks = try? ChoosableTracks(of: FilePath(file.location), subtitlesOnly: true).subtitles
        else { return nil }
        let count = planner.target.tracks.places.subtitles?.count ?? tracks.count
        return StreamLosses.subtitles(count, of: context.input.displayName)
    }

    /// What is said of attributes that the container has no place for.
    private func lostMetadata(of plan: ExportPlan) -> [String] {
        let (container, metadata) = (planner.target.container, planner.properties.metadata)
        let lost =
            metadata.unknown(to: container) + (container == .wav ? [] : metadata.broadcast?.words ?? [])
            + (metadata.artwork == nil || container.holdsCover ? [] : ["cover"])
            + planner.properties.unkept
            + (metadata.production == nil || container == .wav ? [] : ["iXML"])
        let other = metadata.artwork == nil ? "" : "other "
        let files =
            planner.properties.hasAttachments && !container.holdsAttachments
            ? [
                "Its \(other)attachments, such as fonts, are left out: \(container.displayName) has no place for them here."
            ] : []
        let left =
            lost.isEmpty
            ? []
            : [
                "Left out: \(lost.joined(separator: ", ")); \(container.displayName) cannot hold \(lost.count == 1 ? "it" : "them") here."
            ]
        // A WAV file has a place for it, and another number of channels.
        let isFalse = container == .wav && metadata.production != nil && plan.options.metadata.production == nil
        let names = "Left out: iXML; its names of channels or its points of synchronisation would be wrong here."
        return left + (isFalse ? [names] : []) + files
    }
}

extension MovieMetadata {
    /// In words, what ``MovieWriter`` does not write to a container.
    fileprivate func unknown(to container: Container) -> [String] {
        switch container {
        case .gif:
            // It is a timelapse by its comment.
            return told.filter { $0 != "comment" || !isTimelapse }
        case .flac, .mp3, .opus, .ogg:
            return [keywords.isEmpty ? nil : "keywords", make == nil && model == nil ? nil : "camera"].compactMap(
                \.self)
        case .wav:
            return [
                keywords.isEmpty ? nil : "keywords", make == nil && model == nil ? nil : "camera",
                location == nil ? nil : "place",
                // Both would be the file's comment.
                comment == nil || description == nil ? nil : "description",
            ].compactMap(\.self) + unknownToWave
        case .mov, .mp4, .m4a, .mkv, .mka, .webm: return []
        }
    }
}
