import GStreamer
import MediaTypes
import Threads
import Workarounds

/// Counts what passes a pad.
final class StreamCounter: Sendable {
    private struct Count {
        var packets = 0
        /// How many packets last how long; of the first lengths that there are.
        var lengths: [MediaTime: Int] = [:]
        /// Those of the first packet: later the pad may have lost them again.
        var caps: Caps?
        /// Whether packets may be of frames that are not shown, as their first byte tells.
        var mayHide = false
        var bytes = 0
        var start: MediaTime?
        var last: MediaTime?
        var end: MediaTime?
    }

    private let pad: Pad
    private let count = Locked(Count())

    init(_ pad: Pad) {
        self.pad = pad
        _ = pad.addBufferEditor { [count] buffer, caps in
            let (bytes, duration) = (buffer.byteCount, buffer.duration?.clamped ?? .zero)
            // What stands for a frame that came with the one before it, where DivX and Xvid pack several into one (`vop_coded` is 0).
            let format = bytes <= Self.emptyFrame ? caps()?.first : nil
            let isPlaceholder =
                format?.name == "video/mpeg" && format?["mpegversion"]?.intValue == 4 || format?.name == "video/x-divx"
            let time = (buffer.presentationTime ?? buffer.decodeTime)?.clamped
            count.withLock { count in
                if count.caps == nil {
                    count.caps = caps()
                    count.mayHide = count.caps?.first?.name == "video/x-vp8"
                }
                // `show_frame` (RFC 6386, section 9.1).
                let isHidden = count.mayHide && (try? buffer.withBytes { $0.first.map { $0 & 0x10 == 0 } }) == true
                if !isPlaceholder, !isHidden { count.packets += 1 }
                if count.lengths[duration] != nil || count.lengths.count < Self.mostLengths {
                    count.lengths[duration, default: 0] += 1
                }
                count.bytes += bytes
                guard let time else { return }
                count.start = min(count.start ?? time, time)
                count.last = max(count.last ?? time, time)
                count.end = max(count.end ?? time, time + duration)
            }
        }
    }

    /// Bytes of a frame of MPEG-4 that says nothing but when it would be shown (ISO/IEC 14496-2, 6.2.5).
    private static let emptyFrame = 8

    /// A frame's, a field's, and those of a camera that repeats some, each rounded up and down.
    private static let mostLengths = 16

    /// Whether any packet has come.
    var hasCounted: Bool { count.withLock { $0.packets > 0 } }

    /// What the file's order can be told by: the demuxer's own number of the stream ends its identifier.
    var place: String { pad.streamIdentifier.flatMap { $0.split(separator: "/").last.map(String.init) } ?? "" }

    /// What has passed; nil where nobody knows what it is.
    var stream: StreamScan.Stream? {
        let count = count.withLock { $0 }
        guard var caps = count.caps ?? pad.currentCaps ?? pad.possibleCaps else { return nil }
        if let shape = DecodedFrames.shapeOfMPEG1(caps) {
            caps = caps.setting("pixel-aspect-ratio", to: .fraction(shape))
        }
        let kind: StreamScan.Stream.Kind =
            switch SourceStream.kind(of: caps) {
            case .video: .video
            case .audio: .audio
            case .text, nil: .other
            }
        var stream = StreamScan.Stream(kind: kind, caps: caps)
        (stream.packetCount, stream.byteCount) = (count.packets, count.bytes)
        (stream.start, stream.end, stream.language) = (count.start, count.end, pad.tag("language-code"))
        stream.fieldCount = Self.fieldCount(count, caps)
        // Three headers begin it (Theora specification, section 6.1).
        if caps.first?.name == "video/x-theora" { stream.packetCount = max(0, count.packets - 3) }
        // Without a length of its own, or with one of the finest rate there is, the last packet lasts as long as the others do.
        if let start = count.start, let last = count.last, let end = count.end, end - last < .millisecond,
            count.packets > 1
        {
            let mean = Double((last - start).nanoseconds) / Double(count.packets - 1)
            stream.end = last + MediaTime(nanoseconds: Int64(mean.rounded()))
        }
        return stream
    }

    /// Packets half as long as a frame of the stream's own rate: h264parse (1.22) hands on each field that is coded by itself.
    private static func fieldCount(_ count: Count, _ caps: Caps) -> Int {
        guard let format = caps.first, format.name == "video/x-h264", let rate = format["framerate"]?.fractionValue,
            rate.numerator > 0
        else { return 0 }
        let field = MediaTime(samples: 1, of: rate) / 2
        // A rate that is its clock's has no fields.
        guard field > 2 * .millisecond else { return 0 }
        return count.lengths.reduce(0) { $0 + ((($1.key - field).length < .millisecond) ? $1.value : 0) }
    }
}
