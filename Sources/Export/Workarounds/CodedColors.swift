import Encoding
import GStreamer
import MovieFiles
import Threads

/// What a stream's frames tell of their colors, found by watching it: caps (1.22) have no word for some of it, and then the decoder's say
/// other colors, as of the size.
final class CodedColors: Sendable {
    private let found = Locked<ColorInformation?>(nil)

    /// Known once a frame has been decoded; nil where the frames tell nothing.
    var information: ColorInformation? { found.withLock { $0 } }

    static func isNeeded(for caps: Caps) -> Bool { reader(caps) != nil }

    /// - Parameter pad: where the encoded stream passes. Its first frame tells, or what the container keeps for decoders.
    func read(_ pad: Pad) {
        let (found, isRead) = (found, Locked(false))
        // A parser may say only with the first frame what it keeps for decoders.
        _ = pad.addBufferEditor { buffer, caps in
            let isFirst = isRead.withLock { isRead in
                defer { isRead = true }
                return !isRead
            }
            guard isFirst, let caps = caps(), let read = Self.reader(caps) else { return }
            let record = caps.codecData.flatMap { Self.color(ofRecord: $0, caps) }
            let color = record ?? (try? buffer.withBytes { Array($0) }).flatMap(read)
            found.withLock { $0 = color }
        }
    }

    /// What reads it from a frame; nil for streams whose caps tell all.
    private static func reader(_ caps: Caps) -> (@Sendable ([UInt8]) -> ColorInformation?)? {
        switch VideoCodec(caps: caps) {
        case .h264: { ParameterSetColors.read($0, isHEVC: false) }
        case .hevc: { ParameterSetColors.read($0, isHEVC: true) }
        case .av1: { AV1Colour.read($0) }
        case .prores: { ProResColors.read($0) }
        default: nil
        }
    }

    private static func color(ofRecord record: [UInt8], _ caps: Caps) -> ColorInformation? {
        switch VideoCodec(caps: caps) {
        case .h264: ParameterSetColors.read(record: record, isHEVC: false)
        case .hevc: ParameterSetColors.read(record: record, isHEVC: true)
        // Behind the four bytes of its own that `av1C` begins with.
        case .av1: AV1Colour.read(Array(record.dropFirst(4)))
        default: nil
        }
    }
}
