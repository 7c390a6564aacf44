import Encoding
import GStreamer
import MediaDecoding
import MovieFiles
import SystemPackage

extension InputProperties {
    /// Whether a container gets the subtitles that a transport stream of one program has as images. GStreamer's demuxer (1.22) names them, and nothing
    /// behind it takes them.
    func carriesImages(to container: Container) -> Bool {
        guard transport != nil, container == .mkv, Set(declared.compactMap(\.program)).count <= 1 else { return false }
        return declared.contains { $0.kind == .subtitle && TransportCodec.imageSubtitles.contains($0.codec) }
    }
}

extension MovieSubtitles {
    /// The images of a transport stream. Reads all of it; blocks.
    ///
    /// - Parameter begin: when its first frame or audio is presented, in the time that subtitles are wanted in.
    init(transport path: FilePath, from begin: MediaTime) throws(MovieFileError) {
        try self.init(
            images: ImageSubtitles.all(in: path).map { subtitles in
                let packets = subtitles.packets.map {
                    SubtitleStream.Packet(begin: begin + $0.time, duration: nil, data: $0.data)
                }
                let codec: SubtitleStream.Codec = subtitles.codec == .bluray ? .bluray : .dvb
                return (
                    SubtitleStream(codec, header: subtitles.configuration, packets: packets),
                    subtitles.language.flatMap { TrackLanguage($0) }
                )
            })
    }
}
