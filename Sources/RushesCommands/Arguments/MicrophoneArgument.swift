import ArgumentParser

/// A microphone as it is typed, and how loud it is recorded: "desk,gain=-6" or "speakers,mute".
struct MicrophoneArgument: Equatable {
    /// What is left without that.
    let source: String
    /// Decibels; `nil` where it is not said.
    let gain: Double?
    let isMuted: Bool

    /// How much a microphone may be amplified, in decibels.
    static let gains = -60.0...40.0

    /// - Throws: a `ValidationError` for a gain that is none.
    init(_ text: String) throws {
        var (parts, gain, isMuted) = (text.split(separator: ",", omittingEmptySubsequences: false), Double?.none, false)
        // A device's name, a test tone's options and a launch line have commas of their own.
        while parts.count > 1, let last = parts.last {
            if last == "mute" {
                isMuted = true
            } else if last.hasPrefix("gain=") {
                guard let decibels = Decibels(argument: String(last.dropFirst("gain=".count))),
                    Self.gains.contains(decibels.value)
                else { throw ValidationError("'\(last)' of a microphone is decibels from -60 to 40, as in gain=-6.") }
                gain = decibels.value
            } else if last == "gain" || last.hasPrefix("mute=") {
                throw ValidationError("A microphone may be followed by gain=-6 and mute, not by '\(last)'.")
            } else {
                break
            }
            parts.removeLast()
        }
        (source, self.gain, self.isMuted) = (parts.joined(separator: ","), gain, isMuted)
    }

    /// All that the command line names, the main one first; the default one where it names none. `none` takes back those before it, as
    /// any later option does.
    ///
    /// - Throws: a `ValidationError` for a gain that is none.
    static func all(_ texts: [String]) throws -> [MicrophoneArgument] {
        let all = try (texts.isEmpty ? ["default"] : texts).map { try MicrophoneArgument($0) }
        return all.lastIndex { $0.source == "none" }.map { Array(all[($0 + 1)...]) } ?? all
    }
}
