import CLibAV
package import MediaTypes
package import SystemPackage

/// Subtitles that are images, Blu-ray's or television's, as they lie in a transport stream: GStreamer (1.22) hands them to nobody.
package struct ImageSubtitles: Sendable {
    package enum Codec: Sendable, Hashable { case bluray, dvb }

    package struct Packet: Sendable, Hashable {
        /// From the file's first frame or audio on.
        package var time: MediaTime
        package var data: [UInt8]
    }

    package let codec: Codec
    /// As the file says it; nil where it does not.
    package let language: String?
    /// What their decoder needs beforehand; may be empty.
    package let configuration: [UInt8]
    package private(set) var packets: [Packet] = []

    /// Packets at the file's beginning, among which is the first of each stream.
    private static let searched = 2000
    /// Bytes of all of them: a film's have some fifty million.
    private static let mostBytes = 256 << 20

    /// Those of a file, in its order; empty where the libraries are missing, too. Reads all of the file; blocks.
    package static func all(in location: FilePath) -> [ImageSubtitles] {
        guard let file = MediaFile(location, named: location), let format = file.format else { return [] }
        var found: [Int: ImageSubtitles] = [:]
        for (index, stream) in file.streams.enumerated() { found[index] = ImageSubtitles(stream.pointee, of: file) }
        var packet = file.library.makePacket()
        defer { file.library.freePacket(&packet) }
        var (begin, count, left) = (nil as MediaTime?, 0, mostBytes)
        while !found.isEmpty, left > 0, let packet, file.library.readPacket(format, packet) >= 0 {
            defer { file.library.emptyPacket(packet) }
            count += 1
            let (index, streams) = (Int(packet.pointee.stream_index), file.streams)
            guard streams.indices.contains(index), let time = streams[index].pointee.time(packet.pointee.pts) else {
                continue
            }
            if found[index] != nil, let bytes = packet.pointee.data {
                let data = [UInt8](UnsafeBufferPointer(start: bytes, count: Int(packet.pointee.size)))
                left -= data.count
                found[index]?.packets.append(Packet(time: time, data: data))
            } else if streams[index].pointee.isVideo || streams[index].pointee.kind == AVMEDIA_TYPE_AUDIO,
                count <= searched
            {
                begin = min(begin ?? time, time)
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value).filter { !$0.packets.isEmpty }.map { subtitles in
            var subtitles = subtitles
            for index in subtitles.packets.indices { subtitles.packets[index].time -= begin ?? .zero }
            return subtitles
        }
    }

    /// - Returns: nil for all else.
    private init?(_ stream: AVStream, of file: MediaFile) {
        let parameters = stream.codecpar.pointee
        switch parameters.codec_id {
        case AV_CODEC_ID_HDMV_PGS_SUBTITLE: codec = .bluray
        case AV_CODEC_ID_DVB_SUBTITLE: codec = .dvb
        default: return nil
        }
        language = file.texts(stream.metadata)["language"]
        configuration =
            parameters.extradata.map {
                [UInt8](UnsafeBufferPointer(start: $0, count: Int(parameters.extradata_size)))
            } ?? []
    }
}
