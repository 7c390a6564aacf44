extension PipelineDescription {
    /// Makes the elements, sets their properties, links them.
    ///
    /// - Throws: ``GStreamerError`` naming the element that is missing, refuses a property, or does not fit its neighbour.
    public func build(name: String? = nil) throws(GStreamerError) -> Pipeline {
        let pipeline = Pipeline(name: name)
        let chains = try chains.map { chain throws(GStreamerError) in
            try chain.map { node throws(GStreamerError) in try node.make(in: pipeline.bin) }
        }
        for chain in chains {
            for (upstream, downstream) in zip(chain, chain.dropFirst()) {
                try upstream.link(to: downstream, in: pipeline.bin)
            }
        }
        return pipeline
    }
}

/// A node that has been made.
private enum BuiltNode {
    case element(Element)
    case pad(of: String, template: String)

    func link(to next: BuiltNode, in bin: Bin) throws(GStreamerError) {
        let source = try pad(in: bin, isSource: true)
        try source.link(to: next.pad(in: bin, isSource: false))
    }

    private func pad(in bin: Bin, isSource: Bool) throws(GStreamerError) -> Pad {
        switch self {
        case .element(let element):
            if let pad = element.pad(isSource ? "src" : "sink") { return pad }
            // A muxer or a tee at the end or the beginning of a chain gives a pad on request.
            if let template = element.requestTemplate(isSource: isSource) { return try element.requestPad(template) }
            throw GStreamerError(element: element.name, message: "it has no \(isSource ? "output" : "input") to link")
        case .pad(let name, let template):
            guard let element = bin.element(named: name) else {
                throw GStreamerError(element: name, message: "no element of the pipeline has this name")
            }
            // As gst-launch has it, "t." is any pad that fits.
            if template.isEmpty { return try BuiltNode.element(element).pad(in: bin, isSource: isSource) }
            if let pad = element.pad(template) { return pad }
            return try element.requestPad(template)
        }
    }
}

extension PipelineDescription.Node {
    fileprivate func make(in bin: Bin) throws(GStreamerError) -> BuiltNode {
        let element: Element
        switch self {
        case .element(let factory, let name, let properties):
            element = try Element(factory, name: name)
            for property in properties { try element.set(property.name, to: property.value) }
        case .caps(let caps):
            element = try Element("capsfilter")
            try element.set("caps", to: .caps(caps))
        case .launchLine(let line):
            element = try Bin(parsingSource: line).element
        case .pad(let name, let template):
            return .pad(of: name, template: template)
        }
        try bin.add(element)
        return .element(element)
    }
}
