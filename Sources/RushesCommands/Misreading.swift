import ArgumentParser
import MediaTypes

/// What the argument parser takes for something else than a person means by it.
struct Misreading {
    /// With the cure, and a period.
    let sentence: String

    /// - Parameter arguments: Without the program's name.
    /// - Returns: `nil` where there is none: the parser has the word then.
    init?(_ arguments: [String]) {
        if let command = Self.unknownCommand(arguments) {
            let near = Spelling.nearest(command, among: Self.commands)
            sentence =
                "There is no command '\(command)'; "
                + (near.map { "did you mean '\($0)'?" } ?? "'rushes --help' lists them.")
        } else if let name = Self.dashed(arguments) {
            // It would be read as one letter after another, and an h among them asks for help.
            sentence = "Unknown option '\(name)'; to name a file that begins with a dash, write './\(name)'."
        } else {
            return nil
        }
    }

    private static var commands: [String] {
        RushesCommand.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            .compactMap { $0.configuration.commandName } + ["help"]
    }

    /// The first word, if it stands where a command should; of "help" the second.
    private static func unknownCommand(_ arguments: [String]) -> String? {
        let known = RushesCommand.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard let word = arguments.first, !word.hasPrefix("-") else { return nil }
        guard known.contains(word) else { return word }
        guard word == "help", arguments.count > 1, !arguments[1].hasPrefix("-") else { return nil }
        return known.contains(arguments[1]) ? nil : arguments[1]
    }

    /// The only option of one letter is -h, and numbers may be negative.
    private static func dashed(_ arguments: [String]) -> String? {
        arguments.prefix { $0 != "--" }.first { argument in
            argument.hasPrefix("-") && argument.count > 2 && argument.dropFirst().first?.isLetter == true
        }
    }
}
