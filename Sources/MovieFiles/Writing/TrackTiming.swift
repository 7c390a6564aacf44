import MediaTypes

/// How it is known which sample of a movie in fragments is presented when.
enum TrackTiming {
    /// The recorder tells.
    ///
    /// - soundPriming: See `MovieFileWriter.Options`.
    /// - startTimes: When each track's first sample is presented, by track ID; zero where there is none.
    case recorder(audioPriming: Int, startTimes: [UInt32: MediaTime])
    /// The edit lists of the first `moov` tell, where there are any.
    ///
    /// - startsAtZero: Whether the muxer let the decoding times of every track begin at 0, as GStreamer's do. Without an
    ///   edit list a frame's first composition offset then is no time to wait, but for the sake of the decoder only.
    case file(startsAtZero: Bool)
}

extension FragmentedMovie {
    /// Whether the muxer let the decoding times of every track begin at 0, whenever the track does.
    ///
    /// ffmpeg's does so too where it writes no edit lists, but then makes the first sample of an audio that has to wait for
    /// the reordering of frames longer by that time (`mov_write_packet`): its times mean what they say.
    var letsTracksStartAtZero: Bool {
        tracks.allSatisfy { ($0.firstDecodeTime ?? 0) == 0 }
            && !tracks.contains { track in
                let runs = track.samples.durations.runs
                guard track.handler == "soun", runs.count > 1, runs[0].count == 1 else { return false }
                // An audio encoder's packets are equally long.
                return UInt64(runs[0].value) * 5 > UInt64(runs[1].value) * 6
            }
    }
}

/// Where a track begins: what is shown first, and when.
private struct TrackStart {
    /// In the track's timescale, from the first sample's decoding time on.
    var mediaTime: UInt64
    /// Before anything is shown, in the movie's timescale.
    var delay: UInt64
}

extension FragmentedTrack {
    /// The edits that let every track begin where it belongs: nothing until its start, then all after the priming of
    /// the decoder or the reordering of frames.
    func editList(_ timing: TrackTiming, trak: Box, movieTimescale: UInt32) throws(MovieFileError) -> EditList {
        let presented = samples.shownTimes
        let start = try start(timing, trak: trak, movieTimescale: movieTimescale, first: presented.lowerBound)
        let shown = try (presented.upperBound - min(start.mediaTime, presented.upperBound))
            .rescaled(from: timescale, to: movieTimescale)
        guard start.delay < UInt64(Int64.max) / 2, shown < UInt64(Int64.max) / 2 else {
            throw .unsupported(reason: "track \(trackID) would last longer than any movie can")
        }
        var edits = [EditList.Edit(duration: shown, mediaTime: start.mediaTime)]
        if start.delay > 0 { edits.insert(.init(duration: start.delay, mediaTime: nil), at: 0) }
        return EditList(edits: edits)
    }

    private func start(
        _ timing: TrackTiming, trak: Box, movieTimescale: UInt32, first: UInt64
    ) throws(MovieFileError) -> TrackStart {
        let decodeTime = firstDecodeTime ?? 0
        switch timing {
        case .recorder(let audioPriming, let startTimes):
            let ahead = ((startTimes[trackID] ?? .zero).seconds * Double(movieTimescale)).rounded()
            let mediaTime = handler == "vide" ? first : try priming(audioPriming: audioPriming)
            return TrackStart(
                mediaTime: mediaTime,
                delay: try delay(decodeTime, movieTimescale, adding: UInt64(exactly: max(0, ahead)) ?? 0))
        case .file(let startsAtZero):
            let edits = try trak.descendant("edts", "elst").map { (box) throws(MovieFileError) in
                try EditList(box).edits
            }
            guard let edits, let mediaTime = edits.compactMap(\.mediaTime).first else {
                let mediaTime = handler == "vide" ? first : try priming(audioPriming: 0)
                let time = decodeTime.addingReportingOverflow(startsAtZero ? 0 : mediaTime).partialValue
                return TrackStart(mediaTime: mediaTime, delay: try delay(time, movieTimescale, adding: 0))
            }
            var empty: UInt64 = 0
            for edit in edits.prefix(while: { $0.mediaTime == nil }) {
                empty = empty.addingReportingOverflow(edit.duration).partialValue
            }
            // Media times count from 0, the samples here from the first one's decoding time.
            return TrackStart(
                mediaTime: mediaTime - min(mediaTime, decodeTime),
                delay: try delay(decodeTime - min(mediaTime, decodeTime), movieTimescale, adding: empty))
        }
    }

    private func delay(
        _ mediaTime: UInt64, _ movieTimescale: UInt32, adding more: UInt64
    ) throws(MovieFileError) -> UInt64 {
        let delay = try mediaTime.rescaled(from: timescale, to: movieTimescale)
        let (sum, overflow) = delay.addingReportingOverflow(more)
        return overflow ? .max : sum
    }
}
