/// What is told of a microphone.
extension MicrophoneLife {
    /// What somebody who comes now has to know.
    var standing: [String] {
        var words: [String] = []
        if let current, current.source != wanted.source { words.append(Self.switched(name)) }
        if isMuted { words.append(Self.muted(name)) }
        if current?.isSuspended == true { words.append(Self.suspended(name)) }
        if silentSince != nil { words.append(Self.silent(name)) }
        return words
    }

    static let gone = "it was unplugged"
    static func switched(_ name: String) -> String {
        "The microphone switched to \(name), which is now the default."
    }
    static func muted(_ name: String) -> String {
        "\(name) is muted in the sound settings; silence is recorded."
    }
    static func suspended(_ name: String) -> String {
        "\(name) is suspended by the sound server; silence is recorded until it resumes."
    }
    static func silent(_ name: String) -> String {
        "The sound server delivers nothing from \(name); silence is recorded until it does."
    }
}
