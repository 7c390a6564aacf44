import Encoding
import Errors
import GStreamer
import MovieFiles
import Workarounds

extension EncodingRun {
    /// Who carries which track.
    func pumps(
        _ plan: ExportPlan, _ span: ExportTimeRange, video: OpenedTrack?, audio: [OpenedTrack], writer: MovieWriter
    ) throws(RushesError) -> [any TrackPump] {
        var pumps: [any TrackPump] = []
        if let video { pumps.append(videoPump(video, plan, span, writer)) }
        for (index, track) in audio.enumerated() {
            pumps.append(try audioPump(track, index, plan, span, isLeading: video == nil && index == 0, writer))
        }
        return pumps
    }

    /// The frames alone. All other streams are decoded and discarded.
    func firstPassPump(
        _ plan: ExportPlan, _ span: ExportTimeRange, video: OpenedTrack?, _ source: any FrameSource,
        _ writer: MovieWriter
    ) throws -> [any TrackPump] {
        for track in source.tracks where track.stream.kind != .video { try track.sink.discardSamples() }
        return [video.map { videoPump($0, plan, span, writer) }].compactMap(\.self)
    }

    private func videoPump(
        _ video: OpenedTrack, _ plan: ExportPlan, _ span: ExportTimeRange, _ writer: MovieWriter
    ) -> any TrackPump {
        if video.track.isCopied { return copyPump(video, 0, plan, span, isLeading: true, writer) }
        let status = context.status
        let usualRate = video.given.first?["framerate"]?.fractionValue
        return VideoPump(
            sink: video.track.sink, first: video.begin, status: status, writer: writer,
            thumbnailer: context.thumbnail.map { path in
                Thumbnailer(path, planner.properties.orientation) { path in status.report(.thumbnailWritten(path)) }
            },
            delay: plan.delay,
            timing: FrameTiming(
                origin: span.origin, end: span.end, isTrimmed: span.isTrimmed, isContinued: span.isContinued,
                tick: planner.properties.container.tick(usualRate),
                rate: plan.rate, usualRate: usualRate, speed: planner.target.tempo),
            sanitizer: span.sanitizer, filter: planner.target.filters.video, speed: planner.target.tempo)
    }

    private func audioPump(
        _ track: OpenedTrack, _ index: Int, _ plan: ExportPlan, _ span: ExportTimeRange, isLeading: Bool,
        _ writer: MovieWriter
    ) throws(RushesError) -> any TrackPump {
        if track.track.isCopied { return copyPump(track, index, plan, span, isLeading: isLeading, writer) }
        let format = track.given.first
        let rate = format?["rate"]?.intValue ?? 48000
        let bits = RawAudio.bits(format?["format"]?.stringValue ?? "")
        let listed = planner.properties.movie?.audio ?? []
        let place = track.track.stream.index
        let told =
            listed.indices.contains(place) && !span.isTrimmed && track.track.delay == .zero
            ? listed[place].duration : nil
        let bytesPerFrame = (format?["channels"]?.intValue ?? 2) * bits / 8
        let filter = try planner.target.filters.audio.map { (text) throws(RushesError) in
            try SoundFilter(text, track.given)
        }
        return AudioPump(
            name: "audio-\(index)", sink: track.track.sink, first: track.begin, status: context.status, writer: writer,
            track: index, isLeading: isLeading, bytesPerFrame: bytesPerFrame,
            rate: rate, countsFrames: planner.properties.container.countsAudio(track.track.stream.caps),
            factor: planner.target.gains.indices.contains(index) ? planner.target.gains[index].factor : nil,
            filter: filter, meter: peakMeter(track),
            timing: AudioTiming(rate: rate, origin: span.origin, end: span.end, late: track.late, told: told),
            sanitizer: span.sanitizer)
    }

    /// Of audio in floating point that is written as whole numbers; what lossy decoders give is not worth a word.
    private func peakMeter(_ track: OpenedTrack) -> PeakMeter? {
        let isOwn = ["audio/x-raw", "audio/x-wavpack"].contains(track.track.stream.caps.first?.name)
        let codecs: [AudioCodec] = [.pcm, .flac, .alac]
        guard isOwn, planner.target.audio.map(codecs.contains) == true else { return nil }
        return PeakMeter(track.given.first?["format"]?.stringValue)
    }

    private func copyPump(
        _ track: OpenedTrack, _ index: Int, _ plan: ExportPlan, _ span: ExportTimeRange, isLeading: Bool,
        _ writer: MovieWriter
    ) -> CopyPump {
        let kind = track.track.stream.kind
        var first = [track.first.movieTime, track.first.decodeTime].compactMap(\.self).min()
        var lengths = PacketLengths(track.caps, cutsEnd: planner.target.container.isOgg)
        // Matroska says by how much its packets are early.
        if planner.target.container.isMovieFile, settings.parts == nil, settings.range?.start ?? .zero == .zero,
            let header = track.first.buffer, let early = lengths?.countPriming(behind: header)
        {
            first = span.origin - early
        }
        return CopyPump(
            name: kind == .video ? "video" : "audio-\(index)", sink: track.track.sink, first: track.begin,
            status: context.status, writer: writer, kind: kind, track: index, isLeading: isLeading,
            timing: CopyTiming(
                origin: span.origin, end: span.end, isTrimmed: span.isTrimmed, isContinued: span.isContinued,
                first: first,
                keepsEarly: planner.target.container.isMovieFile || planner.target.container.isOgg,
                isFromStart: settings.range?.start == .zero,
                delay: plan.delay,
                isReordered: kind == .video && !track.track.stream.isIntraOnly,
                frameLength: kind == .video
                    ? planner.properties.container.assumedFrameLength(track.track.stream.caps) : nil),
            lengths: lengths,
            lastFrame: kind == .video && settings.range?.end == nil
                ? planner.properties.bytes.edges?.last.map { $0.upperBound - $0.lowerBound } : nil)
    }
}
