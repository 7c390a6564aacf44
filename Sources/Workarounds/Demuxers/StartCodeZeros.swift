package import GStreamer
import Threads

/// GStreamer 1.22, h264parse and h265parse: goes with the version that counts a zero before a start code to the packet behind it; `WorkaroundTests` “h264parse and h265parse, start codes of three bytes”.
///
/// Hands on the zeros that a packet of H.264 or HEVC ends with as the beginning of the next one.
///
/// Some writers of transport streams begin each packet with a start code of three bytes, and leave the fourth, a zero, at the end of the packet
/// before. The parsers (1.22) take it for the beginning of the frame behind it, which gets the times of the one before: frames are shown in each
/// other's places, and those that are shown before the first one are lost.
package enum StartCodeZeros {
    /// - Parameter element: what `parsebin` puts into itself.
    package static func moveOn(from element: Element) {
        guard ["tsdemux", "mpegpsdemux"].contains(element.factoryName) else { return }
        element.onPadAdded { pad in
            guard let caps = pad.currentCaps ?? pad.possibleCaps,
                ["video/x-h264", "video/x-h265"].contains(caps.first?.name)
            else { return }
            let kept = Locked(0)
            _ = pad.addBufferEditor { buffer in
                let ending = (try? buffer.withBytes { $0.reversed().prefix { $0 == 0 }.count }) ?? 0
                let beginning = kept.withLock { kept in
                    defer { kept = ending }
                    return kept
                }
                // A buffer without bytes would be none.
                guard beginning > 0 || ending > 0, ending < buffer.byteCount,
                    let bytes = try? buffer.withBytes({ [UInt8](repeating: 0, count: beginning) + $0.dropLast(ending) })
                else { return }
                buffer = buffer.replacingBytes(with: bytes)
            }
        }
    }
}
