import CGStreamer

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
