import CGStreamer
import Synchronization

extension Element {
    /// Makes sure that nothing stays in libvpx when the frames end; does nothing to other encoders.
    ///
    /// At the end GStreamer (1.22, `gst_vpx_enc_drain`) asks libvpx once for what it still has. libvpx answers with as many
    /// frames as fill half the room of a raw frame (`encoder_encode` in `vp9_cx_iface.c`); the rest of its look-ahead would
    /// be lost, which is the last half second of a noisy clip in good quality. So it is asked until nothing comes any more.
    package func drainVPXWholly() {
        guard ["vp8enc", "vp9enc"].contains(factoryName), let input = pad("sink"), let output = pad("src") else {
            return
        }
        let frames = Frames()
        _ = output.addBufferProbe { _ in
            frames.count.add(1, ordering: .relaxed)
            return .pass
        }
        // Not held: the pad and what it keeps go with the element.
        let address = UInt(bitPattern: reference.pointer)
        _ = input.addEndOfStreamProbe {
            var before = -1
            while frames.count.load(ordering: .relaxed) != before {
                before = frames.count.load(ordering: .relaxed)
                rushes_video_encoder_finish(gpointer(bitPattern: address))
            }
            return .pass
        }
    }
}

private final class Frames: Sendable {
    let count = Atomic(0)
}
