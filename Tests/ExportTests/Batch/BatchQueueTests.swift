import SystemPackage
import TestSupport
import Testing

@testable import Export

@Suite struct BatchQueueTests {
    private func queue(_ count: Int, jobs: Int = 2, estimate: Int64 = 0, isOpen: Bool = false) -> BatchQueue {
        var queue = BatchQueue(jobs: jobs, reserve: 100, isOpen: isOpen)
        for number in 0..<count { _ = queue.add(name: "\(number)", estimate: estimate) }
        return queue
    }

    @Test func `items run in their order, so many at a time`() {
        var queue = queue(4)
        #expect(queue.handle(.start) == [.begin(0), .begin(1)])
        #expect(queue.handle(.ended(1, .done)) == [.begin(2)])
        #expect(queue.handle(.ended(0, .failed)) == [.begin(3)])
        #expect(queue.handle(.ended(2, .skipped)) == [])
        #expect(queue.handle(.ended(3, .done)) == [.finish])
        #expect(queue.items.map(\.status) == [.failed, .done, .skipped, .done])
    }

    @Test func `an empty batch ends at once, an open one when it is closed`() {
        var empty = queue(0)
        #expect(empty.handle(.start) == [.finish])
        var open = queue(0, isOpen: true)
        #expect(open.handle(.start) == [])
        #expect(open.add(name: "a", estimate: 0)?.actions == [.begin(0)])
        #expect(open.handle(.close) == [])
        #expect(open.handle(.ended(0, .done)) == [.finish])
    }

    @Test func `a pause holds what runs and begins nothing`() {
        var queue = queue(3, jobs: 1)
        _ = queue.handle(.start)
        #expect(queue.handle(.pause) == [.pause(0)])
        #expect(queue.handle(.ended(0, .done)) == [])
        #expect(queue.handle(.resume) == [.begin(1)])
        #expect(queue.handle(.pauseItem(1)) == [.pause(1)])
        // The whole batch's pause adds nothing, and its end takes nothing away.
        #expect(queue.handle(.pause) == [])
        #expect(queue.handle(.resume) == [])
        #expect(queue.handle(.resumeItem(1)) == [.resume(1)])
    }

    @Test func `an item that waits can be cancelled, and one that is paused lets others pass`() {
        var queue = queue(4, jobs: 1)
        _ = queue.handle(.start)
        #expect(queue.handle(.cancelItem(1)) == [.leaveOut(1)])
        #expect(queue.handle(.pauseItem(2)) == [])
        #expect(queue.handle(.cancelItem(0)) == [.cancel(0)])
        #expect(queue.handle(.ended(0, .cancelled)) == [.begin(3)])
        #expect(queue.handle(.ended(3, .done)) == [])
        #expect(queue.handle(.resumeItem(2)) == [.begin(2)])
        #expect(queue.handle(.ended(2, .done)) == [.finish])
    }

    @Test func `stopping completes what runs, cancelling gives it up, and the rest stays`() {
        var stopped = queue(4)
        _ = stopped.handle(.start)
        #expect(stopped.handle(.stop) == [])
        #expect(stopped.handle(.ended(0, .done)) == [])
        #expect(stopped.handle(.cancel) == [.cancel(1)])
        #expect(stopped.handle(.ended(1, .cancelled)) == [.finish])
        #expect(stopped.items.map(\.status) == [.done, .cancelled, .waiting, .waiting])
        var early = queue(2)
        #expect(early.handle(.cancel) == [])
        #expect(early.handle(.start) == [.finish])
    }

    @Test func `what runs has its room before the next begins`() {
        var queue = queue(3, estimate: 400)
        #expect(queue.handle(.free(1000)) == [])
        // 400 and the reserve of 100 fit twice only without the reserve.
        #expect(queue.handle(.start) == [.begin(0), .begin(1)])
        // What is written is no longer free, before anybody looks again.
        #expect(queue.handle(.progress(0, bytes: 400)) == [])
        #expect(queue.handle(.ended(0, .done)) == [])
        #expect(queue.handle(.free(600)) == [])
        #expect(queue.shortage == nil)
        #expect(queue.handle(.progress(1, bytes: 300)) == [])
        #expect(queue.handle(.free(600)) == [.begin(2)])
    }

    @Test func `a full disk is waited for, and said`() {
        var queue = queue(2, jobs: 1, estimate: 400)
        #expect(queue.handle(.free(300)) == [])
        #expect(queue.handle(.start) == [])
        #expect(queue.shortage == .next(needed: 500, free: 300))
        #expect(queue.handle(.free(500)) == [.begin(0)])
        #expect(queue.shortage == nil)
        // More is written than was thought.
        #expect(queue.handle(.free(40)) == [.pause(0)])
        #expect(queue.shortage == .reserve(missing: 60))
        #expect(queue.handle(.free(99)) == [])
        #expect(queue.handle(.free(100)) == [.resume(0)])
    }

    @Test func `an item that found no room is begun again with a better estimate`() {
        var queue = queue(1, jobs: 1, estimate: 10)
        _ = queue.handle(.free(1000))
        _ = queue.handle(.start)
        _ = queue.handle(.progress(0, bytes: 900))
        #expect(queue.handle(.ended(0, .outOfSpace)) == [])
        #expect(queue.handle(.free(1000)) == [])
        #expect(queue.shortage == .next(needed: 1900, free: 1000))
        #expect(queue.handle(.free(2000)) == [.begin(0)])
        #expect(queue.handle(.ended(0, .done)) == [.finish])
    }

    @Test func `on a full disk the first goes on, the last gives its space back, and comes again`() {
        var queue = queue(3, jobs: 3, estimate: 10)
        _ = queue.handle(.free(1000))
        #expect(queue.handle(.start) == [.begin(0), .begin(1), .begin(2)])
        #expect(queue.handle(.pauseItem(0)) == [.pause(0)])
        for item in 0...2 { _ = queue.handle(.progress(item, bytes: 300, fraction: 0.5)) }
        // One that a person holds is not the first that can go on.
        #expect(queue.handle(.free(40)) == [.pause(2)])
        #expect(queue.shortage == nil)
        #expect(queue.handle(.free(20)) == [.cancel(2)])
        #expect(queue.handle(.free(10)) == [])
        #expect(queue.isEvicted(2))
        #expect(queue.handle(.ended(2, .cancelled)) == [])
        #expect(queue.items[2].status == .waiting && queue.items[2].estimate == 660)
        #expect(queue.handle(.free(310)) == [])
        #expect(queue.handle(.ended(1, .done)) == [])
        #expect(queue.handle(.resumeItem(0)) == [.resume(0)])
        #expect(queue.handle(.ended(0, .done)) == [])
        #expect(queue.shortage == .next(needed: 760, free: 310))
        #expect(queue.handle(.free(760)) == [.begin(2)])
        #expect(queue.handle(.ended(2, .done)) == [.finish])
    }

    @Test func `what a person or the end of the batch gives up does not come again`() {
        for isWhole in [false, true] {
            var queue = queue(2, estimate: 10)
            _ = queue.handle(.free(1000))
            _ = queue.handle(.start)
            #expect(queue.handle(.free(20)) == [.pause(1), .cancel(1)])
            _ = queue.handle(isWhole ? .cancel : .cancelItem(1))
            #expect(!queue.isEvicted(1))
            _ = queue.handle(.ended(1, .cancelled))
            #expect(queue.items[1].status == .cancelled)
        }
    }

    @Test func `what stays free is a part of a small disk, and may be nothing`() {
        #expect(BatchQueue.reserve(on: 30_000_000) == 300_000)
        #expect(BatchQueue.reserve(on: 2_000_000_000_000) == 64 << 20)
        #expect(BatchQueue.reserve(on: nil) == 64 << 20)
        var queue = BatchQueue(jobs: 1, reserve: 0)
        _ = queue.add(name: "a", estimate: 10)
        #expect(queue.handle(.free(10)) == [])
        #expect(queue.handle(.start) == [.begin(0)])
        #expect(queue.handle(.free(0)) == [])
    }

    @Test func `who frees what is said has freed enough`() {
        #expect(BatchQueue.Shortage.reserve(missing: 35_700_001).message("/out").contains("at least 36 MB"))
        #expect(BatchQueue.Shortage.reserve(missing: 1).message("/out").contains("at least 1 kB"))
        let next = BatchQueue.Shortage.next(needed: 40_000_000_000, free: 30_000_000_000).message("/out")
        #expect(next.contains("needs about 40 GB") && next.contains("/out has 30.0 GB free"), "\(next)")
    }

    @Test func `it is of no use to begin an item again where the disk was not full`() {
        var queue = queue(1, jobs: 1, estimate: 10)
        _ = queue.handle(.free(100_000))
        _ = queue.handle(.start)
        for isFutile in [false, true] {
            _ = queue.handle(.progress(0, bytes: 900))
            // What it wrote is gone again.
            _ = queue.handle(.free(100_000))
            #expect(queue.isFutile(0) == isFutile)
            #expect(queue.handle(.ended(0, .outOfSpace)) == [])
            #expect(queue.handle(.free(100_000)) == [.begin(0)])
        }
        // A disk that is full is waited for, however often.
        var full = self.queue(1, jobs: 1, estimate: 10)
        _ = full.handle(.free(1000))
        _ = full.handle(.start)
        for space in [1000, 4000, 16_000] as [Int64] {
            _ = full.handle(.progress(0, bytes: space - 50))
            _ = full.handle(.free(space))
            #expect(!full.isFutile(0))
            #expect(full.handle(.ended(0, .outOfSpace)) == [])
            #expect(full.handle(.free(space * 4)) == [.begin(0)])
        }
    }

    @Test func `two that filled the disk together are begun again one after the other, and neither is given up`() {
        var queue = queue(3, jobs: 2, estimate: 10)
        _ = queue.handle(.free(1000))
        #expect(queue.handle(.start) == [.begin(0), .begin(1)])
        for item in 0...1 { _ = queue.handle(.progress(item, bytes: 300, fraction: 0.9)) }
        #expect(queue.handle(.free(20)) == [.pause(1), .cancel(1)])
        #expect(queue.handle(.ended(1, .cancelled)) == [.pause(0)])
        // The other finds none either, and by the time that it is told there is what both have given back.
        _ = queue.handle(.free(1000))
        #expect(!queue.isFutile(0))
        #expect(queue.handle(.ended(0, .outOfSpace)) == [])
        #expect(queue.handle(.free(1000)) == [.begin(0)])
        _ = queue.handle(.progress(0, bytes: 900))
        _ = queue.handle(.free(1000))
        #expect(!queue.isFutile(0))
        #expect(queue.handle(.ended(0, .done)) == [.begin(1)])
        #expect(queue.handle(.ended(1, .done)) == [.begin(2)])
        #expect(queue.handle(.ended(2, .done)) == [.finish])
    }

    @Test func `files of one name follow each other, and one that waits does for both`() {
        var queue = queue(1, isOpen: true)
        _ = queue.handle(.start)
        #expect(queue.add(name: "0", estimate: 0)?.actions == [])
        #expect(queue.add(name: "0", estimate: 0) == nil)
        #expect(queue.add(name: "1", estimate: 0)?.actions == [.begin(2)])
        #expect(queue.handle(.ended(0, .done)) == [.begin(1)])
    }

    /// Any events in any order: an item begins only from waiting, no more run than may, and all is over once.
    @Test(arguments: 0..<300) func `the rules hold whatever happens`(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var queue = BatchQueue(jobs: Int.random(in: 1...4, using: &random), reserve: 100, isOpen: true)
        var running: Set<Int> = []
        var held: Set<Int> = []
        var finishes = 0
        var over: Set<Int> = []
        func check(_ actions: [BatchQueue.Action]) {
            for action in actions {
                #expect(finishes == 0, "seed \(seed)")
                switch action {
                case .begin(let item):
                    #expect(!over.contains(item) && running.insert(item).inserted, "seed \(seed)")
                    held.remove(item)
                case .pause(let item):
                    #expect(running.contains(item) && held.insert(item).inserted, "seed \(seed)")
                case .resume(let item):
                    #expect(running.contains(item) && held.remove(item) != nil, "seed \(seed)")
                case .cancel(let item): #expect(running.contains(item), "seed \(seed)")
                case .leaveOut(let item): #expect(over.insert(item).inserted, "seed \(seed)")
                case .finish: finishes += 1
                }
            }
            #expect(running.count <= queue.jobs, "seed \(seed)")
            // What is kept in order is what the items say.
            #expect(queue.running == queue.items.indices.filter { queue.items[$0].status == .running }, "seed \(seed)")
            var waiting: [Int] = []
            while let next = queue.waiting.first(where: { $0 > waiting.last ?? -1 }) { waiting.append(next) }
            #expect(waiting == queue.items.indices.filter { queue.items[$0].status == .waiting }, "seed \(seed)")
        }
        func end(_ item: Int) {
            let ends: [BatchQueue.End] = [.done, .failed, .skipped, .cancelled, .outOfSpace]
            let end = ends.randomElement(using: &random) ?? .done
            running.remove(item)
            held.remove(item)
            if end != .outOfSpace, end != .cancelled || !queue.isEvicted(item) { over.insert(item) }
            check(queue.handle(.ended(item, end)))
        }
        for _ in 0..<80 {
            let item = Int.random(in: 0..<max(1, queue.items.count), using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: check(queue.handle(.start))
            case 1, 2:
                if let added = queue.add(name: "\(Int.random(in: 0..<9, using: &random))", estimate: 50) {
                    check(added.actions)
                }
            case 3, 4, 5: if let one = running.randomElement(using: &random) { end(one) }
            case 6: check(queue.handle(.free(Int64.random(in: 0...400, using: &random))))
            case 7: check(queue.handle(Bool.random(using: &random) ? .pause : .resume))
            case 8: check(queue.handle(Bool.random(using: &random) ? .pauseItem(item) : .resumeItem(item)))
            case 9: check(queue.handle(.cancelItem(item)))
            case 10: check(queue.handle(.progress(item, bytes: Int64.random(in: 0...90, using: &random))))
            default:
                if Int.random(in: 0..<20, using: &random) == 0 { check(queue.handle(.cancel)) }
            }
        }
        // Whatever happened, it can be brought to an end.
        check(queue.handle(.start))
        check(queue.handle(.free(nil)))
        check(queue.handle(.resume))
        for item in queue.items.indices { check(queue.handle(.resumeItem(item))) }
        check(queue.handle(.close))
        while let one = running.first {
            running.remove(one)
            over.insert(one)
            check(queue.handle(.ended(one, .done)))
        }
        #expect(finishes == 1, "seed \(seed)")
    }
}
