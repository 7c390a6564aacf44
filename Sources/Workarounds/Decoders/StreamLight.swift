package import GStreamer
package import MovieFiles
import Threads

/// GStreamer 1.22, av1parse: goes with the version that tells HDR10's light in caps; `WorkaroundTests` “av1parse, HDR10's light”.
///
/// What an AV1 stream tells of HDR10 among its frames, found by watching it: neither av1parse nor the decoders (1.22) say it in caps.
package final class StreamLight: Sendable {
    private let found = Locked(LightMetadata())

    package init() {}

    /// Known once a frame has been decoded.
    package var metadata: LightMetadata { found.withLock { $0 } }

    package static func isNeeded(for caps: Caps) -> Bool { caps.first?.name == "video/x-av1" }

    /// - Parameter pad: where the encoded stream passes. The first frame tells, or what the container keeps for decoders (`av1C`).
    package func read(_ pad: Pad) {
        let found = found
        // Behind the four bytes of its own that `av1C` begins with (AV1 Codec ISO Media File Format Binding, section 2.3.3).
        if let data = pad.currentCaps?.codecData, let light = LightMetadata(av1: Array(data.dropFirst(4))) {
            found.withLock { $0 = light }
        }
        _ = pad.addBufferProbe { buffer in
            guard let bytes = try? buffer.withBytes({ Array($0) }), let light = LightMetadata(av1: bytes) else {
                return .remove
            }
            found.withLock { $0 = light }
            return .remove
        }
    }
}
