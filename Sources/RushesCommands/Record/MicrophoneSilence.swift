import Capture
import MediaTypes

/// Which microphones have been silent for long: says so once, and takes it back.
struct MicrophoneSilence {
    private let names: [String]
    private var watches: [SilenceWatch]
    /// What stays true of each microphone until it is taken back.
    private var standing: [String?]
    /// Audio that was measured, also before a start that is waited for: the movie's time begins with what lies before that.
    private var measured = Duration.zero
    private var last: ContinuousClock.Instant?

    init(of names: [String]) {
        self.names = names
        (watches, standing) = (names.map { _ in SilenceWatch() }, names.map { _ in nil })
    }

    /// What is true of the first microphone that is silent; `nil` where none is.
    var message: String? { standing.compactMap(\.self).first }

    /// - Parameter isMuted: whether silence is recorded of a microphone, by its number.
    /// - Returns: what is to be said now.
    mutating func listen(
        to levels: [AudioLevel?], at now: ContinuousClock.Instant, isMuted: (Int) -> Bool
    ) -> [String] {
        // In a pause nobody listens.
        measured += last.map { min(.seconds(1), $0.duration(to: now)) } ?? .zero
        last = now
        return names.enumerated().compactMap { index, name in
            isMuted(index) ? nil : take(levels.indices.contains(index) ? levels[index]?.average : nil, of: index, name)
        }
    }

    private mutating func take(_ level: [Double]?, of index: Int, _ name: String) -> String? {
        switch watches[index].take(level, at: measured) {
        case .silent(let seconds):
            let words =
                "\(name) has been silent for \(seconds) seconds; check that it is plugged in, turned up and not muted."
            standing[index] = words
            return "rushes: \(words)"
        case .returned:
            standing[index] = nil
            return "\(name) is no longer silent."
        case nil: return nil
        }
    }
}
