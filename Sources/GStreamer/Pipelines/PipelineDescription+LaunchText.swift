extension PipelineDescription {
    /// The pipeline as a person would type it in a shell after `gst-launch-1.0`, one chain a line.
    package var launchText: String {
        chains.map { chain in
            chain.indices.map { index in
                // Bare caps are read between two elements only, and of one media type only.
                chain[index].launchText(isBetween: index > chain.startIndex && index < chain.endIndex - 1)
            }.joined(separator: " ! ")
        }.joined(separator: "  \\\n  ")
    }
}

extension PipelineDescription.Node {
    fileprivate func launchText(isBetween: Bool) -> String {
        switch self {
        case .element(let factory, let name, let properties):
            var words = [factory]
            if let name { words.append(LaunchText.assignment("name", name)) }
            words += properties.map { property in
                if case .caps(let caps) = property.value {
                    return LaunchText.assignment(property.name, LaunchText.caps(caps))
                }
                return LaunchText.assignment(property.name, property.value.description)
            }
            return words.joined(separator: " ")
        case .caps(let caps):
            let isBare = isBetween && caps.structures.count == 1 && !caps.isAny
            return isBare
                ? LaunchText.shell(LaunchText.caps(caps))
                : "capsfilter " + LaunchText.assignment("caps", LaunchText.caps(caps))
        case .launchLine(let line): return LaunchText.words(of: line)
        case .pad(let element, let template): return "\(element).\(template)"
        }
    }
}
