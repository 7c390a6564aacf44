import Encoding
import Errors
import GStreamer
import MovieFiles
import SystemPackage

/// What of a movie is not in the output, in words.
extension MovieSource {
    func omissions(in container: Container) -> [String] { omissions(in: container, deinterlacingIsChosen: true) }

    /// - Parameter deinterlacingIsChosen: whether whoever asked for the output could have said how fields are treated.
    func omissions(in container: Container, deinterlacingIsChosen: Bool) -> [String] {
        func cure(_ result: String) -> String {
            deinterlacingIsChosen ? "; \(Term.deinterlacing) never keeps \(result)." : "."
        }
        var notes = properties.gif?.exportNotes(in: container) ?? []
        notes += [properties.unplacedSamples].compactMap(\.self) + reader.undecodable.map { MissingDecoder.note($0) }
        if let media = properties.decoded {
            notes += media.omissions + tracks.filter(\.isCopied).compactMap(media.copyNote)
        }
        if let mode = reader.deinterlacedMode {
            let what = mode == "mixed" ? "The video is interlaced in part and" : "The video is interlaced and"
            notes.append("\(what) is deinterlaced\(cure("its fields"))")
        }
        if reader.losesDepth, filters.depth != 8 {
            notes.append(
                "GStreamer deinterlaces 8 bits a sample and no more, so the frames have 8\(cure("all"))"
            )
        }
        if reader.losesAlpha, properties.mayBeTransparent { notes.append(properties.lostAlpha(in: container)) }
        if let mix = reader.unnamedMix { notes.append(mix.note) }
        if properties.hasFurtherChapters { notes.append("A further list of chapters was left out.") }
        for stream in reader.leftOut {
            switch stream.kind {
            case .video where properties.hasCoverForVideo: break
            case .video where properties.hasChapterImages: notes.append("The images of the chapters were left out.")
            case .video where !container.holdsVideo:
                notes.append("The video was left out: \(container.displayName) holds audio alone.")
            // Copied in another way: all of them beside audio that is encoded, else the first one.
            case .video where !takesVideo || stream.index == 0: break
            case .video: notes.append("A further video track was left out.")
            case .audio where container == .gif && expectsAudio: notes.append("The audio was left out: GIF holds none.")
            case .audio: break
            // Read from the index, and spoken of there.
            case .text where properties.hasOwnSubtitles: break
            case .text:
                notes.append(
                    "Subtitles (\(stream.caps.first?.name ?? "text")) were left out: \(container.displayName) cannot hold "
                        + "them here.")
            }
        }
        return notes
    }

    /// What is said of subtitles where they are not carried from the index, as into what is composed of several movies.
    func omittedSubtitles(of name: String) -> String? {
        let listed =
            properties.hasOwnSubtitles ? try? ChoosableTracks(of: FilePath(file.location), subtitlesOnly: true) : nil
        // Others' are told as the streams that they are.
        return listed.flatMap { StreamLosses.subtitles($0.subtitles.count, of: name) }
    }

    func losses(_ delivered: Delivered) -> [String] {
        let audio = lostAudio(delivered)
        let end = audio.isEmpty && !delivered.range.isTrimmed && !delivered.isEdge ? lostEnd(delivered) : nil
        return [damage(delivered.range)].compactMap(\.self) + reader.damage.compactMap(\.note) + streamLosses(delivered)
            + audio
            + silences(delivered)
            + [end].compactMap(\.self)
    }

    /// What is said of damage that the demuxer goes over without a word.
    private func damage(_ range: ExportTimeRange) -> String? {
        guard properties.container == .matroska else { return nil }
        let times = MatroskaDamage.times(in: FilePath(file.location))
            .filter { $0 + .second > range.origin && $0 < range.end ?? .max }
        guard let first = times.first else { return nil }
        let place = times.count == 1 ? "" : " in \(times.count) places, the first"
        return
            "The file is damaged\(place) at \(first.secondsToHundredths) s: frames and audio that lie there are missing."
    }

    /// What is said of the gaps of audio that is decoded, and of what it has twice.
    private func silences(_ delivered: Delivered) -> [String] {
        delivered.run.silences.sorted { $0.key < $1.key }.compactMap { $0.value.note(track: $0.key + 1) }
            + delivered.run.overlaps.sorted { $0.key < $1.key }.compactMap { $0.value.note(track: $0.key + 1) }
    }

    /// Frames that are missing, and streams that nothing was made of; only now it is known what has come.
    func streamLosses(_ delivered: Delivered) -> [String] {
        missingFrames(delivered) + [leadingFrames(delivered), missingPackets(delivered)].compactMap(\.self)
            + StreamLosses.notes(
                reader, properties.declared, hasTimeCode: properties.timeCode != nil,
                hasOwnSubtitles: properties.hasOwnSubtitles, carriesImages: delivered.carriesImages,
                carriesData: delivered.carriesData,
                empty: delivered.empty)
    }

    private func missingFrames(_ delivered: Delivered) -> [String] {
        guard let video = delivered.video, !video.track.isCopied, !delivered.range.isTrimmed, delivered.rate == nil
        else { return [] }
        let written = delivered.run.decodedFrames ?? 0
        // Who makes frames of fields may make one more or less.
        guard properties.movie == nil, properties.gif == nil, !reader.isSought, reader.deinterlacedMode == nil,
            let frames = video.track.encoded
        else { return [listedFrames(video.track, written: written)].compactMap(\.self) }
        // Those of a transport stream are told by its packets.
        let leading = properties.transport == nil ? frames.leading + properties.bytes.leadingFrames : 0
        let total = frames.count + leading
        let lost = min(leading, max(0, total - written))
        return [MissingFrameCheck.note(of: total, written: written + lost), MissingFrameCheck.note(leading: lost)]
            .compactMap(\.self)
    }

    /// What is said of frames that are missing where the file lists all of them.
    private func listedFrames(_ track: MediaReader.Track, written: Int) -> String? {
        if let gif = properties.gif { return MissingFrameCheck.note(of: gif.frames.count, written: written) }
        let note = MissingFrameCheck.note(
            properties.movie, pauses: properties.video?.pauses ?? .zero, track.stream.caps, written: written)
        // An edit may end before the last frame is shown, by less than can be told by the mean rate.
        guard note != nil, let shown = (try? ShownFrames.count(in: FilePath(file.location))) ?? nil else { return note }
        return MissingFrameCheck.note(of: shown, written: written)
    }

    /// What is said of frames that a transport stream begins with and nothing decodes.
    private func leadingFrames(_ delivered: Delivered) -> String? {
        guard let scan = properties.transport, let video = delivered.video?.track.stream, !delivered.range.isTrimmed,
            !delivered.isEdge, let number = video.identifier.flatMap({ Int($0.suffix(8), radix: 16) })
        else { return nil }
        let count = scan.leadingFrames(of: number)
        guard count > 0 else { return nil }
        // Each field may come by itself.
        let isProgressive = video.caps.first?["interlace-mode"]?.stringValue ?? "progressive" == "progressive"
        return MissingFrameCheck.note(leading: count, isProgressive: isProgressive)
    }

    /// What is said of a transport stream's packets that did not come.
    private func missingPackets(_ delivered: Delivered) -> String? {
        guard let scan = properties.transport else { return nil }
        // Of interlaced frames each field may come by itself; and a part, or another rate, has others.
        let isWhole = !delivered.range.isTrimmed && delivered.rate == nil && !delivered.isEdge
        let video = delivered.video?.track.stream
        let mode = video?.caps.first?["interlace-mode"]?.stringValue ?? "progressive"
        return MissingPackets.note(
            scan, video: video, audio: delivered.audio.map(\.track.stream),
            written: isWhole && mode == "progressive" ? delivered.run.decodedFrames : nil)
    }

    private func lostEnd(_ delivered: Delivered) -> String? {
        let hasText = (reader.tracks.map(\.stream) + reader.leftOut + reader.late).contains { $0.kind == .text }
        let note = LostEnd.note(
            properties, hasText: hasText, hasVideo: delivered.video != nil, hasAudio: !delivered.audio.isEmpty,
            // What is presented earlier ends earlier too.
            written: delivered.run.decodedEnd - min(.zero, delivered.audio.first?.track.delay ?? .zero)
                + delivered.range.origin + reader.beginning,
            timingTolerance: expectation(delivered).timingTolerance)
        // Subtitles of which GStreamer says nothing may be what lasts longest.
        guard note != nil, properties.container == .matroska,
            let others = try? ChoosableTracks(of: FilePath(file.location), subtitlesOnly: true).subtitles
        else { return note }
        return others.isEmpty ? note : nil
    }

    /// What is said of audio that the input has and that no decoder gave.
    private func lostAudio(_ delivered: Delivered) -> [String] {
        // A decoder's and an encoder's delay, and packets that a stream begins or ends in the middle of.
        let tolerance: MediaTime = 100 * .millisecond
        guard !delivered.range.isTrimmed, !reader.isSought else { return [] }
        let (ends, origin) = (delivered.run.audioEnds, delivered.range.origin)
        return delivered.audio.enumerated().compactMap { index, track in
            guard !properties.container.countsAudio(track.track.stream.caps),
                let end = ends[index].map({ $0 - track.track.delay }),
                let encoded = reader.encodedEnd(of: track.track.stream),
                encoded - origin - end > tolerance
            else { return nil }
            let lost = (encoded - origin - end).secondsToHundredths
            return "Audio track \(index + 1) ends \(lost) s before the input's: its decoder gave nothing for the rest."
        }
    }
}
