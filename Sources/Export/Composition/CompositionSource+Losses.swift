import GStreamer
import MediaTypes

/// What is told at the end of a composition.
extension CompositionSource {
    /// What audio loses where it is mixed or brought to the main movie's clock.
    private var mixed: [String] {
        guard isMixed else { return [] }
        guard case .movie(let number) = composition.audio else {
            return sounding.compactMap { source, _ in
                let count = audioCount(of: source)
                return count > 1
                    ? "Of the \(count) audio tracks of \(fileName(of: source)) the first alone is mixed." : nil
            }
        }
        let source = sources[number]
        let count = audioCount(of: source)
        let tracks = count > 1 ? ", the first of its \(count) tracks alone" : ""
        let name = source.file.path.displayName
        return ["The audio of \(name) follows the main movie's clock: stereo at 48 kHz\(tracks)."]
    }

    /// Layouts from behind the main movie's end on.
    private var unshown: [String] {
        guard let end = main.properties.duration else { return [] }
        return composition.steps.filter { $0.time >= end }.map {
            "The layout at \($0.time.words) is never shown: \(fileName(of: main)) ends at \(end.words)."
        }
    }

    /// Where the light of movies differs.
    private var lights: [String] {
        zip(sources.dropFirst(), composed?.lights ?? []).compactMap { source, light in
            light?.words(inset: fileName(of: source), main: fileName(of: main))
        }
    }

    /// What lies among the frames of insets, which the main movie's output has no place for: it would be of the wrong frames.
    private var messages: [String] {
        sources.dropFirst().flatMap { source in
            let video = source.tracks.first { $0.stream.kind == .video }
            return video?.messages?.kinds.omissions(of: fileName(of: source)) ?? []
        }
    }

    private func audioCount(of source: MovieSource) -> Int {
        (source.tracks.map(\.stream) + source.reader.leftOut + source.reader.undecodable).count { $0.kind == .audio }
    }

    func losses(_ delivered: Delivered) -> [String] {
        let end = delivered.run.end + delivered.range.origin
        // How long its audio is says nothing where another's is taken.
        let own = composition.audio == .movie(0) ? main.losses(delivered) : main.streamLosses(delivered)
        return own + mixed + lights + messages + unshown
            + zip(sources.dropFirst(), composed?.spans ?? []).compactMap { source, span in
                let name = fileName(of: source)
                guard let span else { return "\(name) has no frame for this part; the others are shown without it." }
                let slack = 100 * MediaTime.millisecond
                let begins = span.lowerBound - delivered.range.origin
                let late = begins > slack ? "begins \(begins.words) after the others" : nil
                let early = end - span.upperBound > slack ? "ends \((end - span.upperBound).words) before them" : nil
                let words = [late, early].compactMap(\.self)
                return words.isEmpty
                    ? nil : "\(name) \(words.joined(separator: " and ")); there they are shown without it."
            }
    }
}

extension MediaTime {
    /// For people: "1.52 s".
    var words: String { "\((seconds * 100).rounded() / 100) s" }
}
