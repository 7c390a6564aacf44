import Testing

@testable import Encoding

/// What is read from the kernel's files, with stated ones instead of this machine's.
@Suite struct MachineTests {
    private func times(_ lines: String, allowed: Set<Int> = [], own: Double = 0) -> ProcessorTimes {
        ProcessorTimes(lines, allowed: allowed, ticks: 100, own: own)
    }

    private let idle = "cpu  0 0 0 200 0 0 0 0 0 0\ncpu0 0 0 0 100 0 0 0 0 0 0\ncpu1 0 0 0 100 0 0 0 0 0 0\nintr 5"

    @Test func `what others leave is counted in cores, and what this process does is its own`() {
        let begin = times(idle)
        // One second later: one core was busy all the time, half of it with this process.
        let end = times("cpu0 80 0 20 100 0 0 0 0 0 0\ncpu1 0 0 0 150 50 0 0 0 0 0", own: 0.5)
        #expect(end.freeCores(since: begin, yields: false) == 1.5)
    }

    @Test func `cores that this process may not use do not count`() {
        let begin = times(idle, allowed: [0])
        let end = times("cpu0 100 0 0 100 0 0 0 0 0 0\ncpu1 0 0 0 200 0 0 0 0 0 0", allowed: [0])
        #expect(end.freeCores(since: begin, yields: false) == 0.25)
    }

    @Test func `programs that give way leave half of what they take, unless this one gives way too`() {
        let end = times("cpu0 0 100 0 100 0 0 0 0 0 0\ncpu1 0 100 0 100 0 0 0 0 0 0")
        #expect(end.freeCores(since: times(idle), yields: false) == 1)
        #expect(end.freeCores(since: times(idle), yields: true) == 0.5)
    }

    @Test func `a moment says nothing, nor does a core that came or went`() {
        #expect(times(idle).freeCores(since: times(idle), yields: false) == nil)
        #expect(times("cpu0 0 0 0 900").freeCores(since: times(idle), yields: false) == nil)
        #expect(times("nonsense").freeCores(since: times(""), yields: false) == nil)
    }

    @Test func `lists of cores`() {
        #expect(ProcessorTimes.list("\t0-2,5\n") == [0, 1, 2, 5])
        #expect(ProcessorTimes.list("7") == [7])
        #expect(ProcessorTimes.list("").isEmpty)
    }

    @Test func `the kernel of this machine is read`() throws {
        let now = try #require(ProcessorTimes.now)
        #expect(now.cores == MachineCores.available)
        #expect(now.total > 0)
        #expect(FreeMemory.bytes > 1_000_000)
    }

    @Test func `the narrowest limit of a control group and those above holds`() {
        let files = [
            "/sys.slice/cpu.max": "150000 100000\n", "/sys.slice/take.service/cpu.max": "max 100000\n",
            "/cpu.max": "400000 100000", "/sys.slice/take.service/memory.max": "1000000000\n",
            "/sys.slice/take.service/memory.current": "300000000\n", "/sys.slice/memory.max": "max",
        ]
        let group = ControlGroup(membership: "0::/sys.slice/take.service\n") { files[$0] }
        #expect(group.cores == 1.5)
        #expect(group.freeMemory == 700_000_000)
    }

    @Test func `version 1 has files of other names`() {
        let files = [
            "cpu/box/cpu.cfs_quota_us": "50000\n", "cpu/box/cpu.cfs_period_us": "100000\n",
            "cpu/cpu.cfs_quota_us": "-1\n",
            "cpu/cpu.cfs_period_us": "100000\n", "memory/box/memory.limit_in_bytes": "9223372036854771712\n",
            "memory/box/memory.usage_in_bytes": "5\n",
        ]
        let group = ControlGroup(membership: "3:cpu,cpuacct:/box\n2:memory:/box\n0::/\n") { files[$0] }
        #expect(group.cores == 0.5)
        #expect(group.freeMemory == nil)
        #expect(ControlGroup(membership: "") { _ in nil }.cores == nil)
    }
}
