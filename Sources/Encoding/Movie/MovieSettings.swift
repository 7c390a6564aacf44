public import GStreamer
public import MovieFiles

/// How a movie is to be encoded; what is left out is chosen.
public struct MovieSettings: Sendable {
    public var audioDelay = 0.0
    public init() {}
    public struct VideoInput: Sendable { public var caps: Caps; public var isEncoded: Bool
        public init(caps: Caps, isEncoded: Bool) { self.caps = caps; self.isEncoded = isEncoded } }
    public struct SoundInput: Sendable { public var caps: Caps; public var channels: Int
        public init(caps: Caps, channels: Int) { self.caps = caps; self.channels = channels } }
    public struct Planned: Sendable { public var plan: MoviePlan; public var options: MovieFileWriter.Options; public var summary: String }
    public func plan(video: VideoInput?, sound: SoundInput?) async throws -> Planned {
        let v = try video.map { MoviePlan.Track(caps: $0.caps, nodes: [.make("videoconvert", ["dither": "none"]), .caps(try Caps("video/x-raw,format=I420")), .make("x264enc", ["tune": "zerolatency", "speed-preset": "ultrafast", "key-int-max": 60]), .make("h264parse"), .caps(try Caps("video/x-h264,stream-format=avc,alignment=au"))]) }
        let a = try sound.map { MoviePlan.Track(caps: $0.caps, nodes: [.make("audioconvert"), .make("avenc_aac"), .make("aacparse"), .caps(try Caps("audio/mpeg,mpegversion=4,stream-format=raw"))]) }
        return Planned(plan: MoviePlan(muxer: "mp4mux", isMovieFile: true, video: v, audio: a), options: .init(soundPriming: 1024), summary: "test")
    }
}
