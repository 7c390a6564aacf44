extension PipelineDescription {
    /// The pipeline as a person would type it after `gst-launch-1.0`, one chain a line.
    public var launchText: String {
        chains.map { $0.map(\.launchText).joined(separator: " ! ") }.joined(separator: "  \\\n  ")
    }
}

extension PipelineDescription.Node {
    fileprivate var launchText: String {
        switch self {
        case .element(let factory, let name, let properties):
            var words = [factory]
            if let name { words.append("name=\(name)") }
            words += properties.map { "\($0.name)=\(quoted($0.value.description))" }
            return words.joined(separator: " ")
        case .caps(let caps): return quoted(caps.description)
        case .launchLine(let line): return line
        case .pad(let element, let template): return template.isEmpty ? "\(element)." : "\(element).\(template)"
        }
    }

    /// Quoted for a shell when anything in it would not pass both the shell and gst-launch as one word.
    private func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "-_./:=+,%@".unicodeScalars.contains(scalar)
        }
        if plain, !word.isEmpty { return word }
        return "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
