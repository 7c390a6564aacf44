import Testing
import Threads

/// Streams that become one.
@Suite(.timeLimit(.minutes(10))) struct MergingTests {
    @Test func `the values of all come, in the order of each, and the clock between them`() async {
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<100 { continuation.yield(number) }
        let merged = AsyncStream<Int>.merging([
            AsyncStream.each(of: numbers) { $0 % 2 == 0 ? $0 : nil }, AsyncStream.clock(-1, every: .milliseconds(1)),
        ])
        var (even, ticks): ([Int], Int) = ([], 0)
        for await value in merged {
            if value < 0 { ticks += 1 } else { even.append(value) }
            if even.count == 50, ticks > 3 { break }
        }
        #expect(even == Array(stride(from: 0, to: 100, by: 2)))
    }

    @Test func `whoever stops reading ends the sources`() async {
        let hasEnded = AsyncSignal()
        let (silent, continuation) = AsyncStream.makeStream(of: Int.self)
        continuation.onTermination = { _ in hasEnded.fire() }
        let reader = Task {
            for await _ in AsyncStream<Int>.merging([AsyncStream.each(of: silent) { $0 }]) {}
        }
        reader.cancel()
        await reader.value
        #expect(await hasEnded.wait(within: .seconds(120)))
    }
}
