import ArgumentParser
import Errors
import Testing

@testable import RushesCommands

/// What the library's messages name, as the command calls it.
struct TermTests {
    /// Of all subcommands, once: it takes half a second.
    private static let help = RushesCommand.configuration.subcommands.map { RushesCommand.helpMessage(for: $0) }

    @Test(arguments: Term.allCases) func `each option that a message names exists`(term: Term) {
        for option in term.option.matches(of: #/--[a-z-]+/#).map({ String($0.0) }) {
            #expect(Self.help.contains { $0.contains("\(option) ") || $0.contains("\(option)\n") }, "\(option)")
        }
    }

    @Test(arguments: Term.allCases) func `each subcommand that a message names exists`(term: Term) {
        let names = RushesCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        for name in term.option.matches(of: #/rushes ([a-z]+)/#).map({ String($0.1) }) { #expect(names.contains(name)) }
    }
}
