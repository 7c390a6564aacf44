import Errors

/// What listens to a session's devices: ``MovieFileOutput``, ``PhotoOutput``, ``PreviewOutput``, ``VideoFrameOutput``,
/// ``AudioSampleOutput``. No other type can be one.
public protocol CaptureOutput: Sendable {}

/// How outputs come to their session.
protocol AttachableOutput: CaptureOutput {
    /// - Throws: ``RushesError`` if it is another session's, or what it needs is missing.
    func attach(to session: CaptureSession) async throws
}

extension CaptureSession {
    /// Adds an output to what listens to the session's devices; before or after ``start()``. Once is enough.
    ///
    /// - Throws: ``RushesError`` if it was added to another session; of a ``PreviewOutput`` also if there is no display.
    public nonisolated func addOutput(_ output: some CaptureOutput) async throws {
        guard let output = output as? any AttachableOutput else {
            throw RushesError(.invalidSettings, "\(type(of: output)) is no output of a session; add one of Rushes'.")
        }
        try await output.attach(to: self)
    }
}

extension RushesError {
    /// An output belongs to one session.
    static var otherSession: RushesError {
        RushesError(.badSource, "The output was added to another session; make one for each.")
    }
}
