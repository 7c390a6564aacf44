import GStreamer

extension VideoSourcePlan {
    /// The element that a ``FrameGate`` stands at.
    static let gate = "frame-gate"

    /// The same, with a place at which frames can be dropped: before the decoder where each frame is one of its own; else at the end.
    /// PipeWire copies even those: without, its source (0.3.65) stops after a few seconds, although none is kept.
    var gated: [PipelineDescription.Node] {
        let gate = PipelineDescription.Node.make("identity", name: Self.gate, ["silent": true])
        // A device's source and its mode come first.
        guard decodesJPEG else { return nodes + [gate] }
        return Array(nodes[..<2]) + [gate] + Array(nodes[2...])
    }

    /// Whether each frame is a JPEG of the camera's that is decoded here.
    var decodesJPEG: Bool { decoder != nil && format?.encoding == .mjpeg && nodes.count > 2 }
}
