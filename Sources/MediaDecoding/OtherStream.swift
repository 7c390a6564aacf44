import CLibAV
package import SystemPackage

/// A stream that is neither video nor audio: subtitles, or data such as a camera's positions.
package struct OtherStream: Sendable, Hashable {
    package let isSubtitles: Bool
    /// As ffprobe names it, `unknown` where nobody does.
    package let codec: String
    /// As the file says it; nil where it does not.
    package let language: String?
    /// Likewise.
    package let title: String?
    /// nil where counting takes too long.
    package let packetCount: Int?

    /// Those of a file, in its order; empty where the libraries are missing, too. Reads all of a file that has any; blocks.
    package static func all(in location: FilePath, named name: FilePath) -> [OtherStream] {
        guard let file = MediaFile(location, named: name) else { return [] }
        let streams = file.streams.enumerated().map { ($0.offset, $0.element.pointee) }
            .filter { [AVMEDIA_TYPE_SUBTITLE, AVMEDIA_TYPE_DATA].contains($0.1.kind) }
        guard !streams.isEmpty else { return [] }
        // What was read for the streams' descriptions is read again.
        let counts = MediaFile(location, named: name)?.countPackets(within: .seconds(20))
        return streams.compactMap { index, stream in
            let (texts, codec) = (file.texts(stream.metadata), file.codec(of: stream))
            let count = counts.map { $0[index] ?? 0 }
            // What a container keeps for itself, as Ogg's skeleton is.
            guard codec != "none" || count != 0 else { return nil }
            return OtherStream(
                isSubtitles: stream.kind == AVMEDIA_TYPE_SUBTITLE, codec: codec == "none" ? "unknown" : codec,
                language: texts["language"], title: texts["title"], packetCount: count)
        }
    }
}
