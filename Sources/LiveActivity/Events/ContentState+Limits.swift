extension ContentState {
    /// The same state in a form that always fits an event: no number that JSON lacks, no text beyond the limit.
    ///
    /// The work goes on whatever its state says, so what does not fit is shortened and never an error.
    func fitted() -> ContentState {
        var state = finite()
        // Each byte of text becomes six at most, and all the rest takes no more than 2000.
        guard state.texts.reduce(0, { $0 + $1.utf8.count * 6 }) > 2000 || state.microphones != nil else { return state }
        // A half each round: the longest text is the one that does not fit.
        while Wire.byteCount(state) > ActivityEvent.byteLimit, let longest = state.longestText {
            let text = state[keyPath: longest] ?? ""
            state[keyPath: longest] = text.count < 2 ? nil : text.prefix(text.count / 2) + "…"
        }
        return state
    }

    private var texts: [String] {
        [subtitle, message, reason, currentItem, thumbnail, output].compactMap { $0 }
    }

    private var longestText: WritableKeyPath<ContentState, String?>? {
        let texts: [WritableKeyPath<ContentState, String?>] = [
            \.subtitle, \.message, \.reason, \.currentItem, \.thumbnail, \.output,
        ]
        let longest = texts.max { (self[keyPath: $0]?.utf8.count ?? 0) < (self[keyPath: $1]?.utf8.count ?? 0) }
        return longest.flatMap { self[keyPath: $0] == nil ? nil : $0 }
    }

    private func finite() -> ContentState {
        var state = self
        if !state.elapsed.isFinite { state.elapsed = 0 }
        state.fraction = state.fraction.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
        let numbers: [WritableKeyPath<ContentState, Double?>] = [
            \.remaining, \.mediaTime, \.mediaDuration, \.framesPerSecond, \.speed, \.spaceFor,
        ]
        for number in numbers where state[keyPath: number]?.isFinite == false { state[keyPath: number] = nil }
        // Digital silence is minus infinity; more channels than any microphone has would not fit.
        state.audioLevel = state.audioLevel.map { $0.prefix(32).map(ContentState.finite(level:)) }
        state.microphones = state.microphones.map(MicrophoneLevel.fitted)
        return state
    }

    static func finite(level: Double) -> Double { level.isFinite ? level : level > 0 ? 0 : silence }

    /// The level of digital silence as events state it.
    package static let silence = -200.0
}
