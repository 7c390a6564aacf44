import Errors
import Threads

/// What listens to a session's devices: ``MovieFileOutput``, ``PhotoOutput``, ``PreviewOutput``, ``VideoFrameOutput``,
/// ``AudioSampleOutput``. No other type can be one.
public protocol CaptureOutput: Sendable {}

/// How outputs come to their session and leave it. The session holds them, they hold it weakly.
protocol AttachableOutput: AnyObject, CaptureOutput {
    /// - Throws: ``RushesError`` if it is another session's, or what it needs is missing.
    func attach(to session: CaptureSession) async throws
    /// Takes nothing more of the session; streams of it end.
    func detach() async
}

extension CaptureSession {
    /// Adds an output to what listens to the session's devices, and keeps it there until it is removed or the session is released;
    /// before or after ``start()``. Once is enough. An output does not keep its session.
    ///
    /// - Throws: ``RushesError`` if it was added to another session; of a ``PreviewOutput`` also if there is no display.
    public nonisolated func addOutput(_ output: some CaptureOutput) async throws {
        guard let output = output as? any AttachableOutput else {
            throw RushesError(
                .invalidSettings, "\(type(of: output)) is not an output of a session; add one of Rushes' own.")
        }
        try await output.attach(to: self)
        outputs.withLock { outputs in
            if !outputs.contains(where: { $0 === output }) { outputs.append(output) }
        }
    }

    /// Removes an output: its streams end, a preview's window closes. A recording that runs goes on to its own end. Ignored for an
    /// output that was not added.
    public nonisolated func removeOutput(_ output: some CaptureOutput) async {
        guard let output = output as? any AttachableOutput else { return }
        let isOwn = outputs.withLock { outputs in
            guard let place = outputs.firstIndex(where: { $0 === output }) else { return false }
            outputs.remove(at: place)
            return true
        }
        if isOwn { await output.detach() }
    }
}

/// An output's session, which it does not keep.
struct OwnSession: Sendable {
    private(set) weak var session: CaptureSession?

    /// - Returns: whether it is new.
    /// - Throws: ``RushesError`` if it is another session's.
    mutating func set(_ new: CaptureSession) throws(RushesError) -> Bool {
        guard let session else {
            session = new
            return true
        }
        guard session === new else {
            throw RushesError(.badSource, "The output was added to another session; make one for each.")
        }
        return false
    }
}
