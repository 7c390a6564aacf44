import Foundation

/// What is made when the first test wants it, and then serves all.
actor Made<Key: Hashable & Sendable, Value: Sendable> {
    private var values: [Key: Task<Value, any Error>] = [:]

    func value(_ key: Key, _ make: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Not a part of the test that asks first: the others wait for it even where that one is over.
        let task = values[key] ?? Task.detached { try await make() }
        values[key] = task
        return try await task.value
    }
}

/// What a program was asked about a file. Of the same bytes it says the same again, so it is asked once: most of the time
/// of these tests is that of programs that start.
struct Question: Hashable, Sendable {
    private let words: [String]
    /// Some programs go by the name's ending.
    private let ending: String
    private let contents: Int

    init(_ words: [String], about url: URL) throws {
        self.words = words
        ending = url.pathExtension
        // Hashed with a key that is new in each run, over all bytes.
        var hasher = Hasher()
        try Data(contentsOf: url).withUnsafeBytes { hasher.combine(bytes: $0) }
        contents = hasher.finalize()
    }
}
