import GStreamer
import Threads

/// Counts the frames that go into a decoder, of codecs whose packets show by their bytes that each brings one frame.
///
/// What a stream begins with before its first key frame, or shows before that, needs frames that it does not have: a broadcast may begin
/// anywhere, and those are counted by themselves.
final class EncodedFrames: Sendable {
    fileprivate enum Codec: Sendable { case whole, mpeg2, theora, vp8, vp9 }

    fileprivate struct State {
        var count = 0
        var leading = 0
        /// When the first key frame is shown.
        var first: MediaTime?
        var hasBegun = false
        /// Whether a frame has come that is shown behind the first.
        var isBehind = false
    }

    private let codec: Codec
    private let state = Locked(State())

    /// From the first key frame on. Known once all have passed, as are the others.
    var count: Int { state.withLock { $0.count } }
    /// Those before it; 0 where none is one.
    var leading: Int { state.withLock { $0.hasBegun ? $0.leading : 0 } }

    /// - Returns: nil for codecs whose packets may show nothing, or more than one frame, and for fields.
    init?(_ caps: Caps) {
        guard let format = caps.first, format["interlace-mode"]?.stringValue ?? "progressive" == "progressive" else {
            return nil
        }
        let alignment = format["alignment"]?.stringValue
        switch format.name {
        case "video/x-h264" where alignment == "au", "video/x-h265" where alignment == "au",
            "video/x-av1" where alignment == "tu", "video/x-vp9" where alignment == "super-frame":
            codec = .whole
        case "video/x-vp9" where alignment == "frame": codec = .vp9
        case "video/x-vp8": codec = .vp8
        case "video/x-theora": codec = .theora
        case "video/mpeg" where [1, 2].contains(format["mpegversion"]?.intValue ?? 0): codec = .mpeg2
        default: return nil
        }
    }

    /// - Parameter pad: where the frames pass one by one.
    func read(_ pad: Pad) {
        let (state, codec) = (state, codec)
        _ = pad.addBufferProbe { buffer in
            let head = try? buffer.withBytes { Array($0.prefix(codec == .mpeg2 ? 512 : 1)) }
            guard let head, codec.shows(head) else { return .pass }
            let needsNext = codec == .mpeg2 ? MPEGFrame(head)?.needsNext : nil
            state.withLock { $0.take(isKey: buffer.isKeyFrame, buffer.presentationTime, needsNext) }
            return .pass
        }
    }
}

extension EncodedFrames.State {
    /// - Parameter needsNext: whether it needs the key frame before it and one before that, where its own bytes tell; times may be wrong.
    fileprivate mutating func take(isKey: Bool, _ time: MediaTime?, _ needsNext: Bool?) {
        guard hasBegun else {
            guard isKey else { return leading += 1 }
            (hasBegun, first, count) = (true, time, 1)
            return
        }
        if let needsNext {
            if !needsNext { isBehind = true }
        } else if let time, let first, time > first {
            isBehind = true
        }
        if isBehind || isKey { count += 1 } else { leading += 1 }
    }
}

/// The head of a frame of MPEG-1 or MPEG-2 (ISO/IEC 13818-2, 6.2.3).
private struct MPEGFrame {
    /// Whether it is predicted from frames before and behind it, and so belongs to those that are shown before a key frame.
    let needsNext: Bool

    init?(_ head: [UInt8]) {
        let place = head.indices.dropLast(5).first { head[$0..<$0 + 4].elementsEqual([0, 0, 1, 0]) }
        guard let place else { return nil }
        needsNext = head[place + 5] >> 3 & 7 == 3
    }
}

extension EncodedFrames.Codec {
    /// Whether a packet that begins so has a frame that is shown.
    fileprivate func shows(_ head: [UInt8]) -> Bool {
        guard let first = head.first else { return false }
        switch self {
        case .whole: return true
        // The code that begins a frame (ISO/IEC 13818-2, 6.2.3), behind the headers of a sequence.
        case .mpeg2: return head.indices.dropLast(3).contains { head[$0..<$0 + 4].elementsEqual([0, 0, 1, 0]) }
        // Not a header (Theora specification, section 7.1).
        case .theora: return first & 0x80 == 0
        // `show_frame` (RFC 6386, section 9.1).
        case .vp8: return first & 0x10 != 0
        // `show_existing_frame` or `show_frame` (VP9 Bitstream & Decoding Process Specification, section 6.2), which lie elsewhere in profile 3.
        case .vp9: return first & 0x30 != 0x30 && first & 0x0A != 0
        }
    }
}
