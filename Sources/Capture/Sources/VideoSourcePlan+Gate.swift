import GStreamer

extension VideoSourcePlan {
    /// The element that a ``FrameGate`` stands at.
    static let gate = "frame-gate"

    /// The same, with a place at which frames can be dropped: before the decoder where each frame is one of its own; else at the end.
    var gated: [PipelineDescription.Node] {
        let gate = PipelineDescription.Node.make("identity", name: Self.gate, ["silent": true])
        let nodes = nodes.map(\.withoutCopies)
        // A device's source and its mode come first.
        guard decoder != nil, format?.encoding == .mjpeg, nodes.count > 2 else { return nodes + [gate] }
        return Array(nodes[..<2]) + [gate] + Array(nodes[2...])
    }
}

extension PipelineDescription.Node {
    /// PipeWire's frames in their own memory: whoever takes one out of sixty copies that one, and holds none.
    fileprivate var withoutCopies: Self {
        guard case .element("pipewiresrc", let name, let properties) = self else { return self }
        return .element("pipewiresrc", name: name, properties: properties.filter { $0.name != "always-copy" })
    }
}
