extension StyledText {
    /// With SubRip's tags.
    var subRip: String {
        (place.map { $0 == 2 ? "" : "{\\an\($0)}" } ?? "") + tagged([.bold, .italic, .underlined, .struckOut]) { $0 }
    }

    /// With WebVTT's tags and entities.
    var webVTT: String {
        tagged([.bold, .italic, .underlined]) {
            $0.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        }
    }

    /// ``place`` as WebVTT says it, behind a space; empty where it is the usual one.
    var webVTTSettings: String {
        guard let place, (1...9).contains(place) else { return "" }
        let line = ["", " line:50%", " line:0"][(place - 1) / 3]
        return line + [" position:0% align:start", "", " position:100% align:end"][(place - 1) % 3]
    }

    /// With SubStation Alpha's overrides.
    var script: String {
        var (text, current) = (place.map { $0 == 2 ? "" : "{\\an\($0)}" } ?? "", Look())
        for run in runs {
            let changes = Look.letters.compactMap { look, letter -> String? in
                guard current.contains(look) != run.look.contains(look) else { return nil }
                return "\\\(letter)\(run.look.contains(look) ? 1 : 0)"
            }
            if !changes.isEmpty { text += "{\(changes.joined())}" }
            text += run.text.replacing("{", with: "\\{").replacing("}", with: "\\}").replacing("\n", with: "\\N")
            current = run.look
        }
        return text
    }

    /// - Parameter known: the looks that the format has tags for.
    private func tagged(_ known: Look, escape: (String) -> String) -> String {
        var (text, open): (String, [(look: Look, letter: Character)]) = ("", [])
        func close(to look: Look) {
            // Tags end in the reverse order of their beginnings.
            while open.contains(where: { !look.contains($0.look) }), let last = open.popLast() {
                text += "</\(last.letter)>"
            }
        }
        for run in runs {
            let look = run.look.intersection(known)
            close(to: look)
            for next in Look.letters where look.contains(next.look) {
                guard !open.contains(where: { $0.look == next.look }) else { continue }
                text += "<\(next.letter)>"
                open.append(next)
            }
            text += escape(run.text)
        }
        close(to: [])
        return text
    }
}
