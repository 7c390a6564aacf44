package import GStreamer
import MediaTypes
package import MovieFiles
import Threads

/// GStreamer 1.22, parsers: goes with the version in which they tell all colors in caps; `WorkaroundTests` “h264parse, a matrix that caps have no word for”.
///
/// What a stream's frames tell of their colors, found by watching it: caps (1.22) have no word for some of it, and then the decoder's say
/// other colors, as of the size.
package final class CodedColors: Sendable {
    private let found = Locked<ColorInformation?>(nil)

    package init() {}

    /// Known once a frame has been decoded; nil where the frames tell nothing.
    package var information: ColorInformation? { found.withLock { $0 } }

    package static func isNeeded(for caps: Caps) -> Bool { reader(caps) != nil }

    /// - Parameter pad: where the encoded stream passes. Its first frame tells, or what the container keeps for decoders.
    package func read(_ pad: Pad) {
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
        switch caps.first?.name {
        case CodecIdentifiers.h264.mediaType: { ParameterSetColors.read($0, isHEVC: false) }
        case CodecIdentifiers.hevc.mediaType: { ParameterSetColors.read($0, isHEVC: true) }
        case CodecIdentifiers.av1.mediaType: { AV1Colour.read($0) }
        case CodecIdentifiers.prores.mediaType: { ProResColors.read($0) }
        default: nil
        }
    }

    private static func color(ofRecord record: [UInt8], _ caps: Caps) -> ColorInformation? {
        switch caps.first?.name {
        case CodecIdentifiers.h264.mediaType: ParameterSetColors.read(record: record, isHEVC: false)
        case CodecIdentifiers.hevc.mediaType: ParameterSetColors.read(record: record, isHEVC: true)
        // Behind the four bytes of its own that `av1C` begins with.
        case CodecIdentifiers.av1.mediaType: AV1Colour.read(Array(record.dropFirst(4)))
        default: nil
        }
    }
}
