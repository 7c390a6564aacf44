import ActivityPage
import Errors
import FileSystem
import Foundation
import LiveActivity
import MovieFiles
import Rushes
import SystemPackage
import Threads

/// What the page's buttons Recover and Try again do.
struct Remedies: Sendable {
    let journal: ActivityJournal
    let feed: ActivityFeed
    /// What is being done, by identifier: two pages may ask at once.
    private let underWay = Locked<Set<String>>([])

    init(journal: ActivityJournal, feed: ActivityFeed) { (self.journal, self.feed) = (journal, feed) }

    var page: PageRemedies {
        PageRemedies(offers: { await offers($0) }, apply: { try await apply($1, to: $0) })
    }

    private func offers(_ event: ActivityEvent) async -> Set<PageRemedy> {
        let (state, journal) = (event.contentState, journal)
        guard state.phase == .failed || state.phase == .cancelled else { return [] }
        let isRecording = event.kind == .recording || event.kind == .timelapse
        let found = try? await onOwnThread("rushes-remedies") {
            var found: Set<PageRemedy> = []
            if isRecording, let path = Self.path(state), (try? MovieRecovery.isNeeded(path)) == true {
                found.insert(.recover)
            }
            if journal.command(of: event.id) != nil { found.insert(.again) }
            return found
        }
        return found ?? []
    }

    private func apply(_ remedy: PageRemedy, to event: ActivityEvent) async throws -> String {
        guard underWay.withLock({ $0.insert(event.id).inserted }) else {
            throw RushesError(.badInput, "This is already under way.")
        }
        defer { underWay.withLock { _ = $0.remove(event.id) } }
        guard await offers(event).contains(remedy) else {
            throw RushesError(
                .badInput,
                remedy == .again
                    ? "The command that started it is no longer kept, or was run again; run it in a terminal."
                    : "There is nothing left to recover.")
        }
        switch remedy {
        case .recover: return try await recover(event)
        case .again: return try await beginAgain(event)
        }
    }

    /// Completes the file itself: an index is appended, whatever its size.
    private func recover(_ event: ActivityEvent) async throws -> String {
        guard let path = Self.path(event.contentState) else {
            throw RushesError(.badInput, "Its file can no longer be found.")
        }
        let movie = try await onOwnThread("rushes-recover") { try MovieRecovery.recover(path) }
        var state = event.contentState
        (state.phase, state.fraction, state.fileIsGood) = (.finished, 1, true)
        (state.mediaTime, state.framesWritten) = (movie.duration.seconds, movie.framesRecovered)
        (state.message, state.reason) = (nil, nil)
        let end = ActivityEvent(
            sequence: event.sequence + 1, id: event.id, event: .end, kind: event.kind, timestamp: Date(),
            contentState: state, relevanceScore: event.relevanceScore, dismissalDate: event.dismissalDate)
        let journal = journal
        // Else the next server would show a movie that nobody can open any more.
        try? await onOwnThread("rushes-remedies") { try journal.amend(end) }
        feed.publish(end)
        let lost =
            movie.losses.contains { $0.time < movie.duration }
            ? "; \(Words.size(Int64(clamping: movie.bytesLost))) is lost" : ""
        return "Recovered \(Words.clock(movie.duration))\(lost)."
    }

    /// In its own folder, with its own words, as a process that outlives this one.
    private func beginAgain(_ event: ActivityEvent) async throws -> String {
        let journal = journal
        return try await onOwnThread("rushes-again") {
            guard let command = journal.command(of: event.id) else {
                throw RushesError(
                    .badInput, "The command that started it is no longer kept; run it again in a terminal.")
            }
            let errors = FilePath(NSTemporaryDirectory()).appending("rushes-again-\(UUID().uuidString)")
            let output = try FileDescriptor.open(
                errors, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
            defer { try? output.close() }
            errors.removeFile()
            // What starts it there is a shell: a process that is spawned begins where this one is.
            let words = ["sh", "-c", #"cd -- "$1" && shift && exec "$@""#, "sh", command.folder, OwnProgram.path]
            let process = try NewProcess.start("sh", words + command.arguments, output: output.rawValue, .session)
            let status = Self.status(of: process)
            guard status == nil || status == 0 else {
                throw RushesError(.badInput, Self.lastLine(of: output) ?? "It failed again.")
            }
            // What runs now is an activity of its own, which can be begun again by itself.
            journal.forgetCommand(of: event.id)
            return status == nil ? "Started again." : "Done."
        }
    }

    /// What is refused is refused by then.
    private static let timeout = Duration.milliseconds(1500)

    /// How it ended, if at once; else somebody waits for it, as children are to be waited for.
    private static func status(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        if TimeLimit(timeout).wait(until: { waitpid(process, &status, WNOHANG) == process }) { return status }
        OwnThread.run("rushes-child") { while waitpid(process, nil, 0) < 0, errno == EINTR {} }
        return nil
    }

    private static func lastLine(of file: FileDescriptor) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
            count = (try? file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last
        return line.map { String($0.trimmingPrefix("rushes: ")) }
    }

    private static func path(_ state: ContentState) -> FilePath? { state.output.flatMap { FilePath(wireText: $0) } }
}
