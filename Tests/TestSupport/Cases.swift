import Foundation

/// Of the cases of one test that are many, alike and dear, those whose turn it is: a run of `scripts/test` takes a few of each, and
/// every case comes in one of the next commits' runs, as every suite does (`scripts/lib/suites_of_turn`). Everywhere else, and with
/// `scripts/test --every-case`, it is all of them.
public enum Cases {
    /// The number of the turn, which `scripts/test` sets to that of the commit and prints.
    private static let turn = ProcessInfo.processInfo.environment["RUSHES_TURN"].flatMap { Int($0) }

    /// - Parameters:
    ///   - cases: in an order in which neighbours are alike: those that are left are apart.
    ///   - most: of one turn.
    public static func taken<Case>(of cases: [Case], most: Int = 4) -> [Case] {
        guard let turn else { return cases }
        let turns = (cases.count + most - 1) / most
        return cases.indices.filter { $0 % turns == turn % turns }.map { cases[$0] }
    }

    /// The same of each of one kind with each of another.
    public static func taken<One, Other>(of ones: [One], _ others: [Other], most: Int = 4) -> [(One, Other)] {
        taken(of: ones.flatMap { one in others.map { (one, $0) } }, most: most)
    }
}
