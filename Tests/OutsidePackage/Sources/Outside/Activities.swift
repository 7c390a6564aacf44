import Foundation
import Rushes

/// The example follows for ever, so it is cancelled as soon as the journal tells that its work has ended.
func followActivity() async throws {
    let example = Task { try await activity() }
    for await event in ActivityJournal().events() where event.event == .end { break }
    example.cancel()
    try await example.value
}

private func activity() async throws {
    let journal = ActivityJournal().keep()
    let work = try Activity.request(
        kind: .transcode, attributes: ActivityAttributes(title: "Holiday"),
        content: ActivityContent(state: ContentState(phase: .running), staleDate: nil))
    work.update(ActivityContent(state: ContentState(phase: .running, fraction: 0.5), staleDate: Date() + 5))
    work.end(ActivityContent(state: ContentState(phase: .finished, fraction: 1), staleDate: nil))
    await journal.finish()

    for await event in ActivityJournal().events() { print(event) }  // all processes of this user
}
