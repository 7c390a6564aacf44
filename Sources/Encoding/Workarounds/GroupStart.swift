import GStreamer

/// Whether a file can begin with an encoded frame: nothing of it, and nothing after it, needs frames before it. Pure.
///
/// GStreamer's parser for H.264 (1.22) marks each frame of I slices as a key frame, as x264 makes where a scene changes; what follows may
/// refer to frames before all the same. Only IDR frames, and those that say so in a recovery point, begin anew.
enum GroupStart {
    /// Bytes before each unit that state its size, as the parsers write them.
    private static let lengthSize = 4
    /// Parameter sets and messages before a frame.
    private static let maximumUnitCount = 64

    /// - Parameters:
    ///   - bytes: of a frame whose units begin with their sizes.
    ///   - isHEVC: or else H.264.
    static func isStart(_ bytes: UnsafeRawBufferPointer, isHEVC: Bool) -> Bool {
        var (place, isRecovery) = (0, false)
        for _ in 0..<maximumUnitCount where place + lengthSize < bytes.count {
            let size = bytes[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            let unit = bytes[(place + lengthSize)...].prefix(size)
            guard let first = unit.first else { return false }
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
            place += lengthSize + size
        }
        return false
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

extension Sample {
    /// Whether a file can begin with it.
    var isGroupStart: Bool {
        guard let buffer, buffer.isKeyFrame else { return false }
        let codec = caps.flatMap { VideoCodec(caps: $0) }
        guard codec == .h264 || codec == .hevc else { return true }
        return (try? buffer.withBytes { GroupStart.isStart($0, isHEVC: codec == .hevc) }) ?? false
    }

    /// The same without the parser's word that it is a key frame.
    func asDeltaUnit() -> Sample {
        guard let buffer, let caps else { return self }
        return with(buffer.asDeltaUnit(), caps)
    }
}
