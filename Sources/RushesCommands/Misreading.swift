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
            sentence =
                "Unknown option '\(name)'; "
                + (OtherOption(name, in: arguments).map { "\($0.cure)." } ?? Self.cure(ofDashed: name))
        } else if let name = Self.emptied(arguments) {
            // It would take the next word, be that an option or a file.
            sentence = "\(name) has no value behind its '='; write \(name) '' for an empty one."
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

    private static func cure(ofDashed name: String) -> String {
        let (letter, rest) = (name.prefix(2), name.dropFirst(2))
        guard let long = longs[letter] else { return "to name a file that begins with a dash, write './\(name)'." }
        if name.dropFirst().hasPrefix(long) { return "did you mean '--\(long)'?" }
        return "write '\(letter) \(rest)', or './\(name)' for a file of that name."
    }

    /// What options of one letter that take a value are called in full.
    private static let longs: [Substring: String] = ["-c": "codec", "-o": "output"]

    /// What is read as options here. What follows --slurm is sbatch's.
    private static func own(_ arguments: [String]) -> ArraySlice<String> {
        arguments.prefix { $0 != "--" && $0 != "--slurm" && !$0.hasPrefix("--slurm=") }
    }

    /// An option that ends with an equals sign: "--title=".
    private static func emptied(_ arguments: [String]) -> String? {
        own(arguments).first { $0.wholeMatch(of: #/--[a-z][\w-]*=/#) != nil }.map { String($0.dropLast()) }
    }

    /// Options of one letter stand alone, and numbers may be negative.
    private static func dashed(_ arguments: [String]) -> String? {
        own(arguments).first { argument in
            argument.hasPrefix("-") && argument.count > 2 && argument.dropFirst().first?.isLetter == true
        }
    }
}
