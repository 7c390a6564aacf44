import Encoding
import MediaTypes
import Testing

@testable import Capture

@Suite struct PressureMonitorTests {
    private typealias Snapshot = PressureMonitor.Snapshot

    private func hot(_ temperature: Double) -> Snapshot {
        Snapshot(
            machine: MachinePressure(hottest: ThermalZone(name: "cpu-thermal", temperature: temperature, limit: 85)))
    }
    private func load(_ waiting: Double, free: Double?) -> Snapshot {
        Snapshot(machine: MachinePressure(waitingForCores: waiting), cores: free.map { (2, $0) })
    }
    private func disk(_ delay: MediaTime) -> Snapshot { Snapshot(diskDelay: delay) }

    /// What is said at each look, two a second.
    private func said(_ snapshots: [Snapshot]) -> [(look: Int, words: [String])] {
        var monitor = PressureMonitor()
        return snapshots.enumerated().map { ($0, monitor.evaluate($1, time: ($0 + 1) * MediaTime.second / 2)) }
            .filter { !$0.1.isEmpty }
    }

    @Test func `while all is well nothing is said`() {
        #expect(said([Snapshot(), hot(60), load(0.9, free: 1.8), load(0.9, free: nil), load(0.1, free: 0.5)]).isEmpty)
    }

    @Test func `heat is told before the machine slows down, once`() {
        let said = said([hot(81), hot(82.4), hot(84), hot(80), hot(83)] + Array(repeating: hot(84), count: 200))
        #expect(said.map(\.look) == [1])
        #expect(
            said.first?.words == [
                "The machine is hot (cpu-thermal: 82 °C, of 85): it may slow down soon, and the encoder with it."
            ])
    }

    @Test func `other programs that take the cores are told, but not the recorder's own load`() {
        let said = said([load(0.9, free: 1.9), load(0.7, free: 0.6), load(0.95, free: 0.5)])
        #expect(said.map(\.look) == [1])
        #expect(said.first?.words == ["Other programs are using 1.4 of 2 cores: the encoder may fall behind."])
    }

    @Test func `a slow disk is told while it is slow`() {
        let said = said([disk(999 * .millisecond), disk(1500 * .millisecond), disk(4 * .second)])
        #expect(said.map(\.look) == [1])
        #expect(
            said.first?.words == [
                "The disk is slow: it has taken 1.5 seconds for half a second of the movie, which waits in memory meanwhile."
            ])
    }

    /// Whatever comes and goes: each is told when it comes, and again only half a minute after it was last there.
    @Test(arguments: [0, 1, 10, 58, 59, 60, 61, 300])
    func `what comes again is told again when it was gone for a while`(calm: Int) {
        let again: [(there: Snapshot, gone: Snapshot)] = [
            (hot(84), hot(60)), (load(0.8, free: 0.5), load(0.1, free: nil)), (disk(2 * .second), disk(.zero)),
        ]
        for (there, gone) in again {
            let said = said([there, there] + Array(repeating: gone, count: calm) + [there])
            #expect(said.map(\.look) == (calm >= 59 ? [0, calm + 2] : [0]), "\(said)")
        }
    }

    @Test func `each is told by itself`() {
        var all = hot(84)
        (all.machine.waitingForCores, all.cores, all.diskDelay) = (1, (2, 0), 3 * .second)
        #expect(said([all, all]).map(\.words.count) == [3])
    }
}
