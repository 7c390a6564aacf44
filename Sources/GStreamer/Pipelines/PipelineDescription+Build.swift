import CGStreamer

extension PipelineDescription {
    /// Makes the elements, sets their properties, links them.
    ///
    /// - Throws: ``GStreamerError`` naming the element that is missing, refuses a property, or does not fit its neighbour.
    package func build(name: String? = nil) throws(GStreamerError) -> Pipeline {
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
enum BuiltNode {
    case element(Element)
    case pad(of: String, template: String)

    func link(to next: BuiltNode, in bin: Bin) throws(GStreamerError) {
        let source = try output(in: bin)
        try source.link(to: next.input(for: source, in: bin))
    }

    private func output(in bin: Bin) throws(GStreamerError) -> Pad {
        let (element, pad) = try place(in: bin)
        if let pad { return pad }
        if let pad = element.pad("src") { return pad }
        // A tee gives an output on request.
        if let template = element.requestTemplate(isSource: true) { return try element.requestPad(template) }
        throw GStreamerError(element: element.name, message: "it has no output to link")
    }

    private func input(for source: Pad, in bin: Bin) throws(GStreamerError) -> Pad {
        let (element, pad) = try place(in: bin)
        if let pad { return pad }
        if let pad = element.pad("sink") { return pad }
        // A muxer gives inputs on request, of several kinds.
        if let pad = element.compatiblePad(for: source) { return pad }
        throw GStreamerError(element: element.name, message: "it has no input that fits \(source.name)")
    }

    /// The element, and the pad if the description names one; as gst-launch has it, "t." is any that fits.
    private func place(in bin: Bin) throws(GStreamerError) -> (Element, Pad?) {
        switch self {
        case .element(let element): return (element, nil)
        case .pad(let name, let template):
            guard let element = bin.element(named: name) else {
                throw GStreamerError(element: name, message: "no element of the pipeline has this name")
            }
            if template.isEmpty { return (element, nil) }
            if let pad = element.pad(template) { return (element, pad) }
            return (element, try element.requestPad(template))
        }
    }
}

extension PipelineDescription.Node {
    func make(in bin: Bin) throws(GStreamerError) -> BuiltNode {
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

extension Bin {
    /// Puts a chain of elements behind an output that came while the bin runs.
    ///
    /// - Parameter end: an element of the bin that the chain leads to.
    /// - Returns: the elements, in the order of the chain.
    /// - Throws: ``GStreamerError`` naming the element that is missing, refuses a property, or does not fit.
    @discardableResult
    package func append(
        _ nodes: [PipelineDescription.Node], to pad: Pad, before end: Element? = nil
    ) throws(GStreamerError) -> [Element] {
        var elements: [Element] = []
        for node in nodes {
            guard case .element(let element) = try node.make(in: self) else { continue }
            if let previous = elements.last?.pad("src"), let input = element.pad("sink") {
                try previous.link(to: input)
            }
            elements.append(element)
        }
        if let output = elements.last?.pad("src"), let input = end?.pad("sink") { try output.link(to: input) }
        // Last first: what is downstream has to be ready for what comes.
        for element in elements.reversed() { element.followParentState() }
        if let input = (elements.first ?? end)?.pad("sink") { try pad.link(to: input) }
        return elements
    }
}
