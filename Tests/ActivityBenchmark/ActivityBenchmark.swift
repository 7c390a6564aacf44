import Foundation
import LiveActivity
import SystemPackage

/// What activities cost the work that they tell of. Prints one JSON object; scripts/benchmark-activities runs it.
@main
enum ActivityBenchmark {
    static func main() async throws {
        let folder = FilePath(NSTemporaryDirectory()).appending("rushes-benchmark-\(getpid())")
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        var results: [String: Double] = [:]
        results["updateMicroseconds"] = try await update(listeners: 0)
        results["updateMicrosecondsOneListener"] = try await update(listeners: 1)
        results["updateMicrosecondsOneListenerOfJSON"] = try await update(listeners: 1, asJSON: true)
        results["updateMicroseconds500Listeners"] = try await update(listeners: 500)
        results["updateMicrosecondsJournal"] = try await update(listeners: 0, journal: folder.appending("journal"))
        results["listingMillisecondsOf10000"] = try listing(folder.appending("long"))
        let line = try JSONSerialization.data(withJSONObject: results, options: .sortedKeys)
        print(String(decoding: line, as: UTF8.self))
    }

    /// CPU time of the whole process for one update, in microseconds, until each listener has heard it and perhaps made JSON of it.
    private static func update(listeners count: Int, asJSON: Bool = false, journal: FilePath? = nil) async throws
        -> Double
    {
        let center = ActivityCenter()
        let keeper = journal.map { ActivityJournal(directory: $0).keep(center) }
        let activity = try Activity.request(
            kind: .recording, attributes: ActivityAttributes(title: "take.mov"), content: content(0), in: center)
        var listeners = (0..<count).map { _ in activity.events.makeAsyncIterator() }
        for index in listeners.indices { _ = await listeners[index].next() }
        let updates = 20_000 / max(1, count / 20)
        let begin = clock()
        var received = 0
        for item in 1...updates {
            activity.update(content(item))
            for index in listeners.indices {
                guard let event = await listeners[index].next() else { continue }
                received += asJSON && event.line.isEmpty ? 0 : 1
            }
        }
        let end = clock()
        guard received == updates * count else { throw CocoaError(.coderInvalidValue) }
        activity.end(content(updates))
        await keeper?.finish()
        return Double(end - begin) / Double(CLOCKS_PER_SEC) * 1e6 / Double(updates)
    }

    private static func content(_ item: Int) -> ActivityContent {
        var state = ContentState(phase: .running, fraction: Double(item) / 1e6, elapsed: Double(item) / 10)
        (state.mediaTime, state.bytesWritten, state.framesWritten) = (Double(item), Int64(item) * 1000, item)
        (state.audioLevel, state.output) = ([-18.2, -18.4], "/home/someone/Videos/take.mov")
        return ActivityContent(state: state, staleDate: Date() + 5)
    }

    /// The median of eleven listings of a journal with ten thousand finished activities, in milliseconds.
    private static func listing(_ folder: FilePath) throws -> Double {
        let journal = ActivityJournal(directory: folder)
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        let date = Date()
        var lines = Data()
        for item in 0..<10_000 {
            let start = ActivityEvent(
                sequence: 1, id: UUID().uuidString.lowercased(), event: .start, kind: .transcode, timestamp: date,
                attributes: ActivityAttributes(title: "\(item).mov", output: "/tmp/\(item).mov"),
                contentState: content(item).state)
            var text = String(decoding: start.line, as: UTF8.self)
            text.replace("\"event\":\"start\"", with: "\"event\":\"end\"")
            lines += Data(text.utf8)
        }
        try lines.write(to: URL(filePath: folder.appending("history.ndjson").string))
        let times = try (0..<11).map { _ in
            let begin = ContinuousClock.now
            guard try journal.activities().count == 100 else { throw CocoaError(.fileReadCorruptFile) }
            return begin.duration(to: .now) / .milliseconds(1)
        }
        return times.sorted()[5]
    }
}
