import Foundation
import GStreamer
import MediaTypes

/// Packets of a transport stream that never came, as after a disturbed reception, and what became of the frames around them.
enum MissingPackets {
    /// A sentence for people; `nil` where the counters of what was taken tell of none.
    ///
    /// - Parameters:
    ///   - video: the frames that were taken.
    ///   - written: how many became the output; nil where not all of the input was wanted, or nobody can tell.
    static func note(_ scan: TransportScan, video: SourceStream?, audio: [SourceStream], written: Int?) -> String? {
        let taken = ([video].compactMap(\.self) + audio).compactMap { counted(scan, $0) }.filter { $0.gaps > 0 }
        let gaps = taken.reduce(0) { $0 + $1.gaps }
        guard gaps > 0 else { return nil }
        let first = taken.compactMap { scan.elapsed(until: $0.firstGap) }.min()
        let time = first.map { String(format: "%.2f s", Double($0) / 90_000) }
        let places =
            gaps == 1
            ? "one place\(time.map { ", at \($0)" } ?? "")"
            : "\(gaps) places\(time.map { ", the first at \($0)" } ?? "")"
        return "Packets of the input are missing in \(places), as after a disturbed reception: "
            + "\(rest(video.flatMap { counted(scan, $0) }, written)) damaged."
    }

    private static func rest(_ video: ContinuityCheck.Stream?, _ written: Int?) -> String {
        guard let video, video.gaps > 0 else { return "the audio there may be missing or" }
        // A packetized stream may put several frames together.
        guard let written, written > 0, written <= video.units else {
            return "what lies there may be missing or"
        }
        let count = written == video.units ? "all \(video.units)" : "\(written) of the \(video.units)"
        return "\(count) frames that begin in it are in the output, and those there may be"
    }

    /// What the counters tell of a stream; nil where they are not kept.
    private static func counted(_ scan: TransportScan, _ stream: SourceStream) -> ContinuityCheck.Stream? {
        guard let number = stream.identifier.flatMap({ Int($0.suffix(8), radix: 16) }),
            let counted = scan.continuity.streams[number], counted.isCounted
        else { return nil }
        return counted
    }
}
