extension AsyncStream where Element: Sendable {
    /// What tells of values, each by a call of what it is given, until it has no more or is cancelled.
    package typealias Source = @Sendable (_ tell: @escaping @Sendable (Element) -> Void) async -> Void

    /// The values of several sources in one stream, as they come. It ends only with whoever reads it, and then its sources are cancelled.
    package static func merging(_ sources: [Source]) -> AsyncStream {
        AsyncStream { continuation in
            let tasks = sources.map { source in Task { await source { continuation.yield($0) } } }
            continuation.onTermination = { _ in for task in tasks { task.cancel() } }
        }
    }

    /// A source that tells the same value all the time.
    package static func clock(_ value: Element, every interval: Duration) -> Source {
        { tell in while (try? await Task.sleep(for: interval)) != nil { tell(value) } }
    }

    /// The values of a stream as others.
    package static func each<Other: Sendable>(
        of stream: AsyncStream<Other>, _ transform: @escaping @Sendable (Other) -> Element?
    ) -> Source {
        { tell in for await value in stream { transform(value).map(tell) } }
    }
}
