import Encoding
import GStreamer
import LiveActivity
import Testing

@testable import Export

@Suite struct EstimateTests {
    private let clip = BatchProgress.Item(duration: 2, pixels: 320 * 180, bytes: 100_000)
    private let film = BatchProgress.Item(duration: 5400, pixels: 1920 * 1080, bytes: 4_000_000_000)

    @Test func `short clips run on all cores, films on some, and memory bounds both`() {
        let many = JobCount(cores: 16, memory: 64 << 30)
        #expect(many.jobs(for: [clip, clip, clip]) == 16)
        #expect(many.jobs(for: [film, film, clip]) == 4)
        #expect(JobCount(cores: 2, memory: nil).jobs(for: [film]) == 2)
        #expect(JobCount(cores: 1, memory: nil).jobs(for: [film]) == 1)
        #expect(JobCount(cores: 16, memory: 1 << 30).jobs(for: [film]) == 2)
        #expect(JobCount(cores: 4, memory: 1).jobs(for: [film]) == 1)
        // Of files that tell nothing each may be long.
        #expect(many.jobs(for: [BatchProgress.Item(bytes: 5), BatchProgress.Item(bytes: 5), clip]) == 4)
    }

    @Test func `a container's limits bound the number of jobs`() {
        let files = [
            "/box/cpu.max": "50000 100000\n", "/box/memory.max": "1000000000", "/box/memory.current": "400000000",
        ]
        let group = ControlGroup(membership: "0::/box\n") { files[$0] }
        let count = JobCount.machine(in: group)
        #expect(count.cores == 1 && count.memory == 600_000_000)
        #expect(count.jobs(for: [clip, clip, clip]) == 1)
        let free = JobCount.machine(in: ControlGroup(membership: "") { _ in nil })
        #expect(free.cores == MachineCores.available && (free.memory ?? 0) > 0)
    }

    @Test func `numbers without measure are estimated all the same, and can be added`() {
        var settings = ExportSettings()
        settings.targetSize = .max
        let item = BatchProgress.Item(bytes: .max)
        for codec in [VideoCodec.hevc, .prores, .copy] {
            let bytes = SizeEstimate.bytes(item, settings: settings, codec: codec, profile: nil)
            #expect((1...(Int64.max / 1000)).contains(bytes))
        }
        #expect(SizeEstimate.bytes(film, settings: settings, codec: .hevc, profile: nil) < 2_000_000_000_000)
    }

    @Test func `an output's size follows from what was asked for`() {
        var settings = ExportSettings()
        func bytes(_ item: BatchProgress.Item, _ codec: VideoCodec, _ profile: ProResProfile? = nil) -> Int64 {
            SizeEstimate.bytes(item, settings: settings, codec: codec, profile: profile)
        }
        // Apple states 147 Mbit/s for 1080p at 29.97.
        let megabits = Double(bytes(film, .prores, .standard)) * 8 / 5400 / 1e6
        #expect((140...155).contains(megabits))
        #expect(bytes(film, .copy) == 4_000_000_000)
        #expect(bytes(BatchProgress.Item(bytes: 7_000), .hevc) == 7_000)
        settings.rateControl = .bitrate(8_000_000)
        #expect(bytes(film, .hevc) == 5_400_000_000)
        settings.range = TimeRange(start: 60 * .second, end: 120 * .second)
        #expect(bytes(film, .hevc) == 60_000_000)
        #expect(bytes(clip, .hevc) == 0)
        settings.targetSize = 123
        #expect(bytes(film, .hevc) == 123)
    }
}
