import Foundation
import Testing
import Threads

@Suite("A locked value")
struct LockedTests {
    @Test("Threads that change it at once lose nothing, and the thread sanitizer has nothing to say")
    func manyThreads() async throws {
        let values = Locked<[Int]>([])
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    try? await onOwnThread { for index in 0..<500 { values.withLock { $0.append(index) } } }
                }
            }
        }
        #expect(values.withLock { $0.count } == 4000)
    }

    @Test("An error leaves it free for the next")
    func error() {
        let value = Locked(1)
        #expect(throws: CancellationError.self) { try value.withLock { _ in throw CancellationError() } }
        #expect(value.withLock { $0 } == 1)
    }
}
