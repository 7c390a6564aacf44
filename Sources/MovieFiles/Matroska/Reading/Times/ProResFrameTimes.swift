package import MediaTypes
package import SystemPackage

/// When the frames of ProRes in a Matroska file are shown: GStreamer's demuxer (1.22) loses their times, as it gives each the head that is
/// left out there.
package struct ProResFrameTimes: Sendable, Hashable {
    /// Of each frame, from one to the next.
    private let durations: [UInt32]
    private let start: MediaTime
    /// Ticks in a second.
    private let timescale: UInt32

    /// - Returns: nil where the first video track is another codec's.
    /// - Throws: `notAMovie`, `unsupported`, or `system` where the file cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let times = try ReadableFile.open(path) { (file) throws(MovieFileError) -> FrameTimes? in
            guard try MatroskaSegment.isMatroska(file),
                try Self.track(of: MatroskaSegment(file, for: .tracks)) != nil
            else { return nil }
            let segment = try MatroskaSegment(file, for: .describing)
            guard let track = Self.track(of: segment), let frames = segment.frames[track.number], frames.count > 0
            else { return nil }
            let scale = segment.timestampScale
            return try FrameTimes(
                try frames.frameTimes(told: track.defaultDuration, scale: scale), scale: scale,
                told: track.defaultDuration, last: frames.lastDuration(scale: scale))
        }
        guard let times, times.delay == 0 else { return nil }
        (durations, timescale, start) = (times.durations, times.timescale, MediaTime(nanoseconds: times.start))
    }

    private static func track(of segment: MatroskaSegment) -> TrackEntry? {
        segment.tracks.first { $0.kind == .video }
            .flatMap { $0.codecID == CodecIdentifiers.prores.matroskaID ? $0 : nil }
    }

    /// All of them, in the order of the file.
    package var frames: some Sequence<(time: MediaTime, duration: MediaTime)> {
        var ticks = 0
        func time(_ ticks: Int) -> MediaTime { start + MediaTime(samples: ticks, rate: Int(timescale)) }
        return durations.lazy.map { duration in
            defer { ticks += Int(duration) }
            return (time(ticks), time(ticks + Int(duration)) - time(ticks))
        }
    }
}
