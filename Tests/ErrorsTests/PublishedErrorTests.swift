import Testing
import Threads

@testable import Errors

/// What users of the library get of errors from within.
@Suite struct PublishedErrorTests {
    private struct Inner: Error, CustomStringConvertible { let description = "The pipe is bent." }

    @Test func `an error from within becomes one of the library's, with its sentence and as its cause`() async throws {
        let error = await #expect(throws: RushesError.self) {
            try await publishingErrors(as: .deviceFailed, on: "HD Webcam") { throw Inner() }
        }
        #expect(error?.code == .deviceFailed && error?.subject == "HD Webcam")
        #expect(error?.description == "The pipe is bent." && error?.underlying is Inner)
    }

    @Test func `a missing thread is told as that, whatever was under way`() {
        let error = RushesError.published(ThreadShortage(), as: .encoderFailed) as? RushesError
        #expect(error?.code == .systemLimit && error?.description.contains("ulimit -u") == true)
    }

    @Test func `what is public already stays as it is`() {
        let own = RushesError(.deviceBusy, on: "HD Webcam", "It is busy; close the other program.")
        #expect(RushesError.published(own, as: .encoderFailed, on: "take.mov") as? RushesError == own)
        #expect(RushesError.published(CancellationError(), as: .encoderFailed) is CancellationError)
    }
}
