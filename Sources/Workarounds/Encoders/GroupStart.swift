package import GStreamer
import MediaTypes
import MovieFiles

/// GStreamer 1.22, h264parse: goes with the version that calls no frame of I slices a key frame; `WorkaroundTests` “h264parse, frames of I slices”.
///
/// Whether a file can begin with an encoded frame: nothing of it, and nothing after it, needs frames before it. Pure.
///
/// GStreamer's parser for H.264 (1.22) marks each frame of I slices as a key frame, as x264 makes where a scene changes; what follows may
/// refer to frames before all the same. Only IDR frames, and those that say so in a recovery point, begin anew.
enum GroupStart {
    /// How the units of a frame are told apart.
    enum Form { case sizes, startCodes }

    /// Bytes before each unit that state its size, as the parsers write them.
    private static let lengthSize = 4
    /// Parameter sets and messages before a frame.
    private static let maximumUnitCount = 64

    /// - Parameters:
    ///   - bytes: of a frame.
    ///   - isHEVC: or else H.264.
    static func isStart(_ bytes: UnsafeRawBufferPointer, isHEVC: Bool, _ form: Form = .sizes) -> Bool {
        var (rest, isRecovery) = (bytes[...], false)
        for _ in 0..<maximumUnitCount {
            guard let unit = nextUnit(&rest, form), let first = unit.first else { return false }
            if isHEVC {
                // ITU-T H.265 table 7-1: frames, of which 16 to 21 are random access points.
                let type = first >> 1 & 0x3F
                if type < 32 { return (16...21).contains(type) }
            } else {
                // ITU-T H.264 table 7-1: frames, of which 5 is IDR; 6 is supplemental information.
                switch first & 0x1F {
                case 5: return true
                case 1...4: return isRecovery
                case 6: isRecovery = isRecovery || hasRecoveryPoint(unit.dropFirst())
                default: break
                }
            }
        }
        return false
    }

    /// Takes the next unit off; nil where there is none.
    private static func nextUnit(
        _ rest: inout Slice<UnsafeRawBufferPointer>, _ form: Form
    ) -> Slice<UnsafeRawBufferPointer>? {
        switch form {
        case .sizes:
            guard rest.count > lengthSize else { return nil }
            let size = rest.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
            let unit = rest.dropFirst(lengthSize).prefix(size)
            rest = rest[unit.endIndex...]
            return unit
        case .startCodes:
            guard let start = startCode(rest)?.upperBound else { return nil }
            let unit = rest[start..<(startCode(rest[start...])?.lowerBound ?? rest.endIndex)]
            rest = rest[unit.endIndex...]
            return unit
        }
    }

    /// Where the next unit of a byte stream begins (ITU-T H.264 and H.265, annex B).
    private static func startCode(_ bytes: Slice<UnsafeRawBufferPointer>) -> Range<Int>? {
        var (place, zeros) = (bytes.startIndex, 0)
        while place < bytes.endIndex {
            let byte = bytes[place]
            place += 1
            if byte == 1, zeros >= 2 { return place - 3..<place }
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return nil
    }

    /// Of messages, each with its type and its size; bytes of 255 add up (ITU-T H.264 7.3.2.3.1). A recovery point is type 6.
    private static func hasRecoveryPoint(_ messages: Slice<UnsafeRawBufferPointer>) -> Bool {
        var rest = messages
        func number() -> Int? {
            var sum = 0
            while let byte = rest.popFirst() {
                sum += Int(byte)
                if byte != 255 { return sum }
            }
            return nil
        }
        // The last byte only ends the unit.
        while rest.count > 2, let type = number(), let size = number() {
            if type == 6 { return true }
            rest = rest.dropFirst(size)
        }
        return false
    }
}

extension Buffer {
    /// Whether a file can begin with it.
    ///
    /// - Parameter caps: What it is.
    package func isGroupStart(_ caps: Caps?) -> Bool {
        guard isKeyFrame else { return false }
        let codec = caps?.first?.name
        let isHEVC = codec == CodecIdentifiers.hevc.mediaType
        guard isHEVC || codec == CodecIdentifiers.h264.mediaType else { return true }
        let form: GroupStart.Form =
            caps?.first?["stream-format"]?.stringValue == "byte-stream" ? .startCodes : .sizes
        return (try? withBytes { GroupStart.isStart($0, isHEVC: isHEVC, form) }) ?? false
    }
}

extension Buffer {
    /// How many samples of its stream, frames or fields, are coded before one that is shown before them; `nil` but for H.264 with its headers
    /// before it, as key frames are, and the first sample of a network camera. A stream whose headers leave it open, as those of many cameras,
    /// has none such.
    package func reorderedSamplesOfH264(_ caps: Caps) -> Int? {
        guard caps.first?.name == "video/x-h264" else { return nil }
        return try? withBytes { ReorderDelay.samples(toldByH264: Array($0.prefix(4096))) }
    }
}

extension Sample {
    /// Whether a file can begin with it.
    package var isGroupStart: Bool { buffer?.isGroupStart(caps) ?? false }

    /// The same without the parser's word that it is a key frame.
    package func asDeltaUnit() -> Sample {
        guard let buffer, let caps else { return self }
        return with(buffer.asDeltaUnit(), caps)
    }
}
