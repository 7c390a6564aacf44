import Encoding
import GStreamer

/// What one run has handed to the writer of what its source gave.
struct Delivered: Sendable {
    var video: OpenedTrack?
    var audio: [OpenedTrack]
    /// Streams of which not one sample came.
    var empty: [SourceStream]
    /// The part of the source's time that became the movie.
    var range: ExportTimeRange
    var run: ExportStatus.Run
    /// The constant rate that was asked for; nil where the source's own times are kept.
    var rate: Fraction?
    /// Whether the file has no track where there is not one sample.
    var leavesOutEmpty: Bool
    /// Frames a second of the audio tracks that are encoded; empty where some are copied.
    var audioRates: [Int]
    /// Channels of the audio tracks; nil of one that is copied.
    var audioChannels: [Int?]
    /// See ``ExportPlan/delay``.
    var delay: MediaTime
    /// Whether it is only the beginning of what is copied.
    var isEdge: Bool
    /// Whether the first frame has to be one that can be decoded by itself.
    var beginsWithKeyFrame: Bool
    /// Whether subtitles that are images are added to it from the file itself.
    var carriesImages = false
    /// Whether its data tracks are added to it.
    var carriesData = false
}

extension FrameSource {
    /// The longest packet of Opus (RFC 6716, 3.2.5), and what its time is rounded by.
    private static var longestOpus: MediaTime { 125 * .millisecond }

    /// What was delivered, and nothing else: what a file says of itself is often wrong.
    func expectation(_ delivered: Delivered) -> OutputCheck.Expected {
        let run = delivered.run
        let left = delivered.leavesOutEmpty ? run.emptyAudio : []
        func kept<Value>(_ values: [Value]) -> [Value] {
            values.enumerated().filter { !left.contains($0.offset) }.map(\.element)
        }
        var expected = OutputCheck.Expected(
            audioTracks: kept(delivered.audio).count, audioRates: kept(delivered.audioRates))
        expected.audioChannels = kept(delivered.audioChannels)
        expected.copiedAudio = Set(kept(delivered.audio).enumerated().filter { $1.track.isCopied }.map(\.offset))
        if let video = delivered.video {
            expected.frames = run.frames ?? 0
            expected.areFramesCopied = video.track.isCopied
        }
        expected.duration = run.end + delivered.delay
        expected.lastFrame = run.lastFrame
        expected.beginsWithKeyFrame = delivered.beginsWithKeyFrame
        if let rate = delivered.video?.caps.first?["framerate"]?.fractionValue, rate.numerator > 0 {
            expected.timingTolerance = MediaTime(seconds: 1 / (delivered.rate ?? rate).doubleValue)
        }
        // Muxers tell how long a frame is decoded, which for the one that is shown last can be a gap before it.
        expected.timingTolerance = max(expected.timingTolerance, run.longestFrame)
        // The end of its last packet may not be played (RFC 7845, 4.4), which containers without a word for that keep whole.
        if delivered.audio.contains(where: { $0.track.isCopied && $0.caps.first?.name == "audio/x-opus" }) {
            expected.timingTolerance = max(expected.timingTolerance, Self.longestOpus)
        }
        return expected
    }
}
