import Foundation
import Testing
import Threads

@testable import GStreamer

/// Streaming threads that have their turn before others.
@Suite(.timeLimit(.minutes(10))) struct ThreadPriorityTests {
    private static func own() -> Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }
    /// Whether this process may raise its threads, as root may.
    private static let isAllowed = DispatchQueue(label: "priority").sync {
        let isRaised = ThreadPriority.encoding.raise()
        ThreadPriority.reset()
        return isRaised
    }

    /// The priority that the thread of a source has, and that of a thread that it makes.
    private func priorities(raisedTo priority: ThreadPriority?) async throws -> [Int32] {
        let pipeline = try PipelineDescription([
            [
                .make("audiotestsrc", name: "source", ["num-buffers": 3]),
                .make("fakesink", ["sync": false, "async": false]),
            ]
        ]).build()
        if let priority { pipeline.raiseThreads(to: priority) }
        let found = Locked<[Int32]>([])
        let pad = try #require(pipeline.bin.element(named: "source")?.pad("src"))
        _ = pad.addBufferProbe { _ in
            guard found.withLock({ $0.isEmpty }) else { return .pass }
            let (made, isMade) = (Locked<Int32>(0), DispatchSemaphore(value: 0))
            OwnThread.run("made") {
                made.withLock { $0 = Self.own() }
                isMade.signal()
            }
            isMade.wait()
            found.withLock { $0 = [Self.own(), made.withLock { $0 }] }
            return .pass
        }
        let messages = pipeline.bus.messages()
        try await pipeline.setState(.playing)
        for await message in messages { if case .endOfStream = message.content { break } }
        await pipeline.stop()
        return found.withLock { $0 }
    }

    @Test func `threads of a raised pipeline are raised, those that they make too, and no others after them`()
        async throws
    {
        // Not the one that calls: Dispatch gives the threads of root's tasks 0, whatever the process has.
        let usual = getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid()))
        let raised = Self.isAllowed ? ThreadPriority.encoding.rawValue : usual
        for _ in 0..<3 {
            #expect(try await priorities(raisedTo: .encoding) == [raised, raised])
            // GLib gives the same threads to the next pipeline.
            #expect(try await priorities(raisedTo: nil) == [usual, usual])
        }
    }
}
