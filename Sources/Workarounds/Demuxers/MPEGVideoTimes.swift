package import GStreamer
import MediaTypes
import Threads

/// GStreamer 1.22, mpegvideoparse: goes with the version that says when each frame is shown; `WorkaroundTests` “mpegvideoparse, frames without a time of their own”.
///
/// Says of each frame of MPEG-1 and MPEG-2 when it is shown (ISO/IEC 13818-2, 6.3.9; ISO/IEC 13818-1, 2.7.4).
///
/// In transport and program streams only the first of several frames in a packet has a time, and no more than one in 0.7 s needs one
/// (ISO/IEC 13818-1, 2.7.4). The parser (1.22) knows when the others are decoded, which muxers take for when they are shown, and decoders give
/// them each other's times. Of MXF without its index none has one: its first frame is shown when it is decoded.
package enum MPEGVideoTimes {
    /// - Parameter element: what `parsebin` puts into itself.
    package static func complete(from element: Element) {
        guard element.factoryName == "mpegvideoparse", let pad = element.pad("src") else { return }
        let order = Locked(Order())
        _ = pad.addBufferEditor { buffer in
            guard let frame = (try? buffer.withBytes { FrameHead($0) }) ?? nil else { return }
            let (told, decode, duration) = (buffer.presentationTime, buffer.decodeTime, buffer.duration)
            let (time, early) = order.withLock { ($0.shown(frame, told: told, decode, duration), $0.early) }
            guard told == nil, let time else { return }
            // Decoders show nothing before it is decoded.
            buffer = buffer.retimed(
                presentationTime: time, decodeTime: decode.map { max(.zero, $0 - early) }, duration: duration)
        }
    }

    /// The order in which frames are shown, as far as their own numbers tell it.
    private struct Order {
        /// The number of the last frame that others are predicted from, in its group; -1 at its beginning.
        private var last = -1
        /// By how much such frames are shown later than their numbers tell, as in streams without others.
        private var shift: MediaTime = .zero
        /// By how much all frames are earlier than they say. Until one has said when it is shown the first has to wait for none.
        private(set) var early: MediaTime = .zero
        /// Whether a frame has said when it is shown.
        private var isTold = false

        mutating func shown(
            _ frame: FrameHead, told: MediaTime?, _ decode: MediaTime?, _ duration: MediaTime?
        ) -> MediaTime? {
            if frame.beginsGroup { last = -1 }
            if told != nil { isTold = true }
            early = isTold ? .zero : duration ?? early
            // What is between two others is shown when it is decoded.
            guard !frame.isBidirectional else { return told ?? decode.map { max(.zero, $0 - early) } }
            // One that others are predicted from is shown when those are over that are decoded behind it and shown before.
            let count = frame.number - last
            last = frame.number
            guard let decode, let duration, count > 0, count < 64 else { return told }
            if let told { shift = told - decode - duration * count }
            return told ?? (decode + duration * count + shift - early)
        }
    }

    /// What a frame says of itself, and the headers before it.
    private struct FrameHead {
        /// In the order in which the frames of its group are shown (`temporal_reference`).
        let number: Int
        let isBidirectional: Bool
        let beginsGroup: Bool

        private static let (pictureStart, groupStart): (UInt8, UInt8) = (0x00, 0xB8)
        /// Of the headers, with both matrices.
        private static let size = 1024

        /// - Returns: nil where no frame begins.
        init?(_ bytes: UnsafeRawBufferPointer) {
            var hasGroup = false
            for place in 0..<max(0, min(bytes.count, Self.size) - 5)
            where bytes[place] == 0 && bytes[place + 1] == 0 && bytes[place + 2] == 1 {
                if bytes[place + 3] == Self.groupStart { hasGroup = true }
                guard bytes[place + 3] == Self.pictureStart else { continue }
                number = Int(bytes[place + 4]) << 2 | Int(bytes[place + 5] >> 6)
                isBidirectional = bytes[place + 5] >> 3 & 7 == 3
                beginsGroup = hasGroup
                return
            }
            return nil
        }
    }
}
