import Threads

extension RushesError {
    /// An error from within as those who use the library get it: a ``RushesError`` with the same sentence, and the error as its cause. One that
    /// is public already, and `CancellationError`, stay as they are.
    ///
    /// - Parameters:
    ///   - code: what went wrong where the error does not tell; a thread that the system has not is always ``Code/systemLimit``.
    ///   - subject: the path, device or address that it failed on.
    package static func published(_ error: any Error, as code: Code, on subject: String? = nil) -> any Error {
        if error is RushesError || error is CancellationError { return error }
        return RushesError(
            error is ThreadShortage ? .systemLimit : code, on: subject, "\(error)", underlying: error)
    }
}

/// Runs what users of the library call, so that they get errors of one kind.
///
/// - Throws: as ``RushesError/published(_:as:on:)``.
package func publishingErrors<Value>(
    as code: RushesError.Code, on subject: String? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> sending Value
) async throws -> sending Value {
    do { return try await body() } catch { throw RushesError.published(error, as: code, on: subject) }
}
