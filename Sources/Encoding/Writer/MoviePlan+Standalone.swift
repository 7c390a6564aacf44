public import GStreamer

extension MoviePlan {
    /// The same movie as one pipeline from its sources to a file, to be printed and tried with gst-launch-1.0.
    ///
    /// Where Rushes hands samples over in Swift, a queue stands, and for elements of its own others; the file is the muxer's own, without the index that
    /// Rushes appends at the end.
    public func standalone(
        video: [PipelineDescription.Node]?, audio: [PipelineDescription.Node]?, path: String
    ) -> PipelineDescription {
        var chains = description.chains.map { chain in
            chain.flatMap { node -> [PipelineDescription.Node] in
                switch node {
                case .element("appsrc", name: "video", properties: _): (video ?? []) + [.make("queue")]
                case .element("appsrc", name: "audio", properties: _): (audio ?? []) + [.make("queue")]
                case .element("appsink", name: _, properties: _), .element("fdsink", name: _, properties: _):
                    [.make("filesink", ["location": .text(path), "buffer-mode": "unbuffered"])]
                case .element(ProResElement.name, name: _, properties: _): [ProResElement.standIn(in: chain)]
                case .element(DepthElement.name, name: _, properties: _): [.make("videoconvert", ["dither": "none"])]
                default: [node]
                }
            }
        }
        // Sources first reads better; the muxer is named, so the order does not matter to the parser.
        chains.append(chains.removeFirst())
        return PipelineDescription(chains)
    }
}
