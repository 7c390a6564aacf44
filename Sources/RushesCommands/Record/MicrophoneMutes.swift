import Capture
import Foundation
import Rushes
import Threads

/// Mutes and unmutes microphones during a recording.
final class MicrophoneMutes: Sendable {
    private let session: CaptureSession
    private let notice: RecordingNotice
    /// Each microphone's name as typed on the command line, and its device's own name.
    private let names: [(typed: String, own: String)]
    private let muted: Locked<Set<Int>>

    init(_ session: CaptureSession, _ request: RecordingRequest, _ notice: RecordingNotice) {
        (self.session, self.notice) = (session, notice)
        names = zip(request.microphoneTexts, request.microphones).map { ($0, $1.name) }
        muted = Locked(Set(request.microphones.indices.filter { request.microphones[$0].isMuted }))
    }

    /// Whether a microphone, by its index, is muted now.
    func isMuted(_ microphone: Int) -> Bool { muted.withLock { $0.contains(microphone) } }

    /// Mutes all microphones, or unmutes them where all are muted.
    func toggle() async {
        guard !names.isEmpty else { return }
        let areMuted = muted.withLock { $0.count == names.count }
        _ = try? await mute(!areMuted, nil)
    }

    /// - Parameter name: a microphone's name, or a part of it that no other has; `nil` for all microphones.
    /// - Returns: a sentence that says what was done.
    /// - Throws: ``RushesError`` if no microphone, or more than one, is called so.
    func mute(_ isMuted: Bool, _ name: String?) async throws -> String {
        let places = try Self.places(of: name, among: names)
        // Not by a change of the configuration, which would wait for a camera that is being opened.
        await session.setMuted(isMuted, microphones: places)
        muted.withLock { muted in
            if isMuted { muted.formUnion(places) } else { muted.subtract(places) }
        }
        let all = places.map { names[$0].own }.joined(separator: " and ")
        let words = "\(all) \(places.count > 1 ? "are" : "is") \(isMuted ? "muted" : "no longer muted")."
        StandardStreams.printNote(words)
        notice.tell(words)
        return words
    }

    /// The indices of the microphones that a name means.
    ///
    /// - Throws: ``RushesError`` if there is none, or more than one.
    static func places(of name: String?, among names: [(typed: String, own: String)]) throws(RushesError) -> [Int] {
        guard let name, !name.isEmpty else { return Array(names.indices) }
        let wanted = name.lowercased()
        let same = names.indices.filter { [names[$0].typed, names[$0].own].contains { $0.lowercased() == wanted } }
        let fitting = same.isEmpty ? names.indices.filter { names[$0].own.lowercased().contains(wanted) } : same
        guard fitting.count == 1 else {
            let all = names.map(\.own).joined(separator: ", ")
            throw fitting.isEmpty
                ? RushesError(
                    .deviceNotFound, on: name, "No microphone of this recording is called '\(name)'; it has \(all).")
                : RushesError(
                    .badSource, on: name,
                    "More than one microphone of this recording is called '\(name)'; it has \(all).")
        }
        return fitting
    }
}
