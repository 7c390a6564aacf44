import ArgumentParser

/// An option of ffmpeg or HandBrake, and what does the same here.
struct OtherOption {
    /// Without a period, to follow the name that is unknown.
    let cure: String

    /// - Parameters:
    ///   - name: with its dashes.
    ///   - arguments: the whole command line, which begins with the command.
    /// - Returns: `nil` where nothing is known of it.
    init?(_ name: String, in arguments: [String]) {
        let bare = name.drop { $0 == "-" }
        // A letter is something else with one dash than with two.
        let key = bare.count == 1 ? name : String(bare.lowercased())
        guard let choices = Self.table[key] ?? Self.table[String(key.prefix { $0 != ":" })] else { return nil }
        let help = Self.help(arguments)
        guard
            let choice = choices.first(where: { choice in
                choice.option.map { help.contains(" \($0) ") || help.contains(" \($0)\n") } ?? true
            })
        else { return nil }
        cure = choice.option.map { "it is \($0) here\(choice.words)" } ?? choice.words
    }

    /// What may be meant: an option where the command has it, or what else to do.
    struct Choice {
        var option: String?
        var words: String
    }

    /// Of the command, or of its subcommand.
    private static func help(_ arguments: [String]) -> String {
        var command: any ParsableCommand.Type = RushesCommand.self
        for word in arguments.prefix(2) {
            guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else { break }
            command = next
        }
        return RushesCommand.helpMessage(for: command, columns: 1000)
    }
}
