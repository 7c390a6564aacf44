import Testing

@testable import Export

/// What a plan tells, of steps that are made of steps.
struct NotedTests {
    @Test func notesOfStepsWithinStepsComeOnceAndInTheOrderOfTheSteps() {
        let inner = Noted(8, PlanNotes(["Eight."]))
        var middle = PlanNotes(["Before."])
        let depth = middle.take(inner)
        middle.add("Behind.")
        var notes = PlanNotes()
        #expect(notes.take(Noted(depth + 2, middle)) == 10)
        #expect(notes.take(Noted<Int?>.omitted("None.")) == nil)
        #expect(notes.take(Noted("quiet")) == "quiet")
        #expect(notes.sentences == ["Before.", "Eight.", "Behind.", "None."])
    }
}
