import Foundation
import MediaTypes
import MovieFiles

extension DeclaredStream {
    /// What a transport stream's maps name, wherever in the file they do.
    static func all(in scan: TransportScan) -> [DeclaredStream] {
        scan.maps.streams.map { stream in
            let entry = stream.entry
            let type = scan.maps.misnamed[entry.number] ?? entry.type
            let (kind, codec) = TransportCodec.name(of: type, entry.descriptors)
            var result = DeclaredStream(
                kind: Kind(kind), codec: codec, suffix: String(format: "%08x", entry.number), program: stream.program)
            result.isReplacement = stream.isReplacement
            result.attributes = TrackAttributes(transport: entry.descriptors)
            result.isAbsent = scan.continuity.streams[entry.number] == nil
            if stream.isAdded {
                // What has the packets of another stream begins somewhere among them.
                let first = stream.isReplacement ? stream.named : scan.continuity.streams[entry.number]?.first
                let ticks = scan.elapsed(until: first)
                result.start = ticks.map { MediaTime(seconds: Double($0) / 90_000) }
            }
            return result
        }
    }
}

extension DeclaredStream.Kind {
    fileprivate init(_ kind: TransportCodec.Kind) {
        switch kind {
        case .video: self = .video
        case .audio: self = .audio
        case .subtitle: self = .subtitle
        case .other: self = .other
        }
    }
}
