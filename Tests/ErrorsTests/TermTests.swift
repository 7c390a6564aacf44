import Errors
import Testing

struct TermTests {
    @Test(arguments: Term.allCases) func `the library names no option of a command`(term: Term) {
        #expect(!"\(term)".contains("--") && !"\(term)".contains("rushes"))
    }

    @Test func `an error has its code, what it failed on and its cause`() {
        struct Cause: Error, Equatable {}
        let error = RushesError(.diskFull, "The disk is full.", underlying: Cause()).on("take.mov").on("another")
        #expect(error.subject == "take.mov" && error.underlying is Cause && "\(error)" == "The disk is full.")
        #expect("\(error.code)" == "diskFull" && error.code == .diskFull && error.code != .badInput)
        #expect(error == RushesError(.diskFull, on: "take.mov", "The disk is full.", underlying: Cause()))
        #expect(error != RushesError(.diskFull, on: "take.mov", "The disk is full."))
    }
}
