package import MediaTypes

extension MovieInfo {
    /// A movie of another container, described by whoever can read it.
    package init(path: String, container: String, duration: MediaTime, size: UInt64) {
        self.init(
            path: path, container: container, fragmented: false, complete: true, duration: duration, size: size,
            bitRate: duration > .zero ? UInt64(Double(size) * 8 / duration.seconds) : nil, creationDate: nil, make: nil,
            model: nil,
            software: nil, location: nil, title: nil, description: nil, keywords: nil, chapters: [], video: [],
            audio: [])
    }
}

extension MovieInfo.Video {
    /// A track shown as it is stored; the rest is set afterwards.
    package init(codec: String, codecTag: String, width: Int, height: Int, frameCount: Int, duration: MediaTime) {
        self.init(
            codec: codec, profile: nil, codecTag: codecTag, width: width, height: height, displayWidth: width,
            displayHeight: height, rotation: 0, mirrored: false, frameRate: nil, frameCount: frameCount, bitDepth: nil,
            chroma: nil, bitRate: nil, duration: duration, colorPrimaries: nil, transfer: nil, matrix: nil, range: nil)
    }
}

extension MovieInfo.Audio {
    /// An audio track; its bit rate is set afterwards.
    package init(codec: String, codecTag: String, channels: Int, sampleRate: Int, duration: MediaTime) {
        self.init(
            codec: codec, codecTag: codecTag, channels: channels, sampleRate: sampleRate, duration: duration,
            bitRate: nil)
    }
}
