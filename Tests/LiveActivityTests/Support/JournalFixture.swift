import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import LiveActivity

/// A journal of one test, with a center of its own.
final class JournalFixture: Sendable {
    private let temporary: TemporaryFolder
    let journal: ActivityJournal
    let center = ActivityCenter()
    var folder: JournalFolder { journal.folder }

    init(under name: String = "activities") throws {
        temporary = try TemporaryFolder()
        var journal = ActivityJournal(directory: FilePath(temporary.file(name)))
        // The sanitizer and a busy machine take long.
        journal.answerLimit = .seconds(60)
        self.journal = journal
    }

    func request(_ title: String = "take.mov", kind: ActivityKind = .recording) throws -> Activity {
        try Activity.request(
            kind: kind, attributes: ActivityAttributes(title: title), content: .running(0), in: center)
    }

    /// Writes what a process that no longer runs, or another one, has left.
    @discardableResult
    func leave(_ id: String = "dead", by process: ProcessIdentity, last: ActivityEvent? = nil) throws -> ActivityRecord
    {
        try folder.create()
        let last = last ?? .update(id)
        let record = ActivityRecord(
            attributes: ActivityAttributes(title: "\(id).mov"), last: last, startDate: last.timestamp - 60)
        try AtomicFile.replace(
            folder.file(id), with: LiveEntry(record: record, process: process, socket: nil).data)
        return record
    }

    func history() throws -> [ActivityRecord] { try folder.history.tail(.max) }

    func mode(_ path: FilePath) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
        return try #require(attributes[.posixPermissions] as? Int)
    }
}

extension ActivityContent {
    static func running(_ item: Int, message: String? = nil) -> ActivityContent {
        var state = ContentState(phase: .running)
        (state.completedItems, state.message) = (item, message)
        return ActivityContent(state: state, staleDate: Date() + 3600)
    }

    static let finished = ActivityContent(state: ContentState(phase: .finished, fraction: 1), staleDate: nil)
}

extension ActivityEvent {
    static func update(_ id: String, sequence: Int = 9, age: Double = 1, phase: ContentState.Phase = .running)
        -> ActivityEvent
    {
        ActivityEvent(
            sequence: sequence, id: id, event: phase.isFinal ? .end : .update, kind: .recording,
            timestamp: Date() - age, contentState: ContentState(phase: phase, fraction: 0.5, elapsed: 60),
            dismissalDate: phase.isFinal ? Date() + 60 : nil)
    }
}

extension ProcessIdentity {
    /// Another one than this process's in some respect.
    static func other(
        pid: Int32 = getpid(), startTime: UInt64? = nil, boot: String? = nil, namespace: String? = nil,
        host: String? = nil
    ) throws -> ProcessIdentity {
        let this = ProcessIdentity.current
        let json = """
            {"pid":\(pid),"startTime":\(startTime ?? this.startTime),"boot":"\(boot ?? this.boot)",
             "namespace":"\(namespace ?? this.namespace)","host":"\(host ?? this.host)"}
            """
        return try JSONDecoder().decode(ProcessIdentity.self, from: Data(json.utf8))
    }

    static var elsewhere: ProcessIdentity { get throws { try other(boot: "another", host: "elsewhere") } }
    static var dead: ProcessIdentity { get throws { try other(startTime: 1) } }
}
