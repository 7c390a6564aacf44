/// A text that is shown for a while.
package struct SubtitleCue: Sendable, Equatable {
    /// In any unit.
    package var times: Range<Int64>
    package var text: String

    package init(times: Range<Int64>, text: String) { (self.times, self.text) = (times, text) }
}

extension [SubtitleCue] {
    /// The same texts one after another, as samples of a track follow each other: where several are shown at once, one holds
    /// them all, each on lines of its own, in the order in which they appear.
    ///
    /// - Parameter maximumSize: Of all texts together, in bytes.
    /// - Returns: nil where they have more, or so many are shown at once that it would take minutes.
    package func oneAtATime(maximumSize: Int) -> [SubtitleCue]? {
        let cues = filter { !$0.times.isEmpty && !$0.text.isEmpty }.sorted { $0.times.lowerBound < $1.times.lowerBound }
        var result: [SubtitleCue] = []
        var shown: [SubtitleCue] = []
        var (next, size, time, steps) = (0, 0, Int64.min, 0)
        while next < cues.count || !shown.isEmpty {
            if shown.isEmpty { time = cues[next].times.lowerBound }
            while next < cues.count, cues[next].times.lowerBound <= time {
                shown.append(cues[next])
                next += 1
            }
            // Until one of them goes or another one comes.
            var end = shown.reduce(Int64.max) { Swift.min($0, $1.times.upperBound) }
            if next < cues.count { end = Swift.min(end, cues[next].times.lowerBound) }
            var (texts, known): ([String], Set<String>) = ([], [])
            for cue in shown where known.insert(cue.text).inserted { texts.append(cue.text) }
            let text = texts.joined(separator: "\n")
            size += text.utf8.count
            steps += shown.count
            guard size <= maximumSize, steps <= Self.maximumSteps else { return nil }
            if let last = result.last, last.times.upperBound == time, last.text == text {
                result[result.count - 1].times = last.times.lowerBound..<end
            } else {
                result.append(SubtitleCue(times: time..<end, text: text))
            }
            time = end
            shown.removeAll { $0.times.upperBound <= time }
        }
        return result
    }

    /// How many texts are looked at, each as often as another one comes or goes while it is shown: 20 at a time all through a film with
    /// a quarter of a million of them.
    private static var maximumSteps: Int { 5_000_000 }
}
