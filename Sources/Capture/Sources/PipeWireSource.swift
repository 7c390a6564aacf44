import GStreamer

extension PipelineDescription.Node {
    /// A camera or a microphone of PipeWire.
    ///
    /// Stamped here, as its own times are of no use (0.3.65). Copied, as four frames that an encoder holds stop the
    /// camera for good: measured, 16 of 75 frames came in 2.5 s; copied, 75 with a hundred held.
    static func pipeWireSource(_ device: CaptureDevice) -> Self {
        .make(
            "pipewiresrc",
            [
                "target-object": .text(device.address), "do-timestamp": true, "always-copy": true,
                "client-name": "rushes",
            ])
    }
}
