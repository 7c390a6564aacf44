import Composition
import Encoding
import Errors
import Imaging
import Threads

extension MovieSettings {
    /// - Parameter isCopied: whether the frames come compressed and stay so.
    /// - Throws: ``RushesError`` for a file that is no look-up table, and where nothing is encoded.
    func readLookupTable(isCopied: Bool) async throws -> LookupTable? {
        guard let path = lookupTable else { return nil }
        guard !isCopied else {
            throw RushesError(
                .invalidSettings,
                "What is copied keeps its colors; leave \(Term.lookupTable) out, or choose another \(Term.videoCodec).")
        }
        return try await onOwnThread("rushes-table") { try LookupTable(file: path) }
    }
}

extension MovieWriter {
    /// Looks the colors of all frames up in a table.
    func editFrames(by table: LookupTable) {
        // Only the encoder's thread asks.
        let grader = Locked(FrameGrader(table))
        editFrames { buffer, caps in try grader.withLock { try $0.apply(to: buffer, caps).buffer } }
    }
}
