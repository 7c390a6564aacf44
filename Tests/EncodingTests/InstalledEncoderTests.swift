import Threads
import GStreamer
import Testing

@testable import Encoding

/// The tables against the elements that are really installed.
@Suite struct InstalledEncoderTests {
    /// One way to set one installed element.
    struct Case: Sendable, CustomTestStringConvertible {
        var codec: VideoCodec
        var entry: EncoderEntry
        var task: EncoderTask
        var table: EncoderTable
        var testDescription: String {
            "\(entry.element) \(task.purpose) \(task.bitDepth) bit \(task.profile ?? "") \(task.speed?.name ?? "") \(task.control)"
        }
    }

    /// Every group of every installed element once.
    static let cases: [Case] = {
        guard let files = try? PipelineFiles.find(), let tables = try? EncoderTables(files) else { return [] }
        return VideoCodec.allCases.flatMap { codec -> [Case] in
            guard let table = try? tables.table(for: codec) else { return [] }
            return table.encoders.filter { InstalledElements.registry.contains($0.element) }.flatMap {
                entry -> [Case] in
                cases(codec, table, entry)
            }
        }
    }()

    static func cases(_ codec: VideoCodec, _ table: EncoderTable, _ entry: EncoderEntry) -> [Case] {
        let depths = [8, 10].filter { !entry.formats(bitDepth: $0, profile: nil).isEmpty }
        let profiles: [String?] = codec == .prores ? table.profiles : [nil]
        let quality = EncoderTask.Control.quality(entry.nativeQuality(nil))
        let controls: [EncoderTask.Control] =
            (entry.hasQuality ? [quality] : []) + (entry.hasBitrate ? [.bitrate(2_000_000)] : [])
        let speeds: [EncoderSpeed?] = entry.speeds.isEmpty ? [nil] : entry.speeds
        var cases: [Case] = []
        func add(
            _ purpose: EncodingPurpose, _ depth: Int, _ profile: String?, _ speed: EncoderSpeed?,
            _ control: EncoderTask.Control
        ) {
            let task = EncoderTask(
                purpose: purpose, bitDepth: depth, profile: profile, speed: speed, control: control, rate: 30, cores: 2)
            cases.append(Case(codec: codec, entry: entry, task: task, table: table))
        }
        for speed in speeds {
            for purpose in [EncodingPurpose.live, .export] where speed?.purposes.contains(purpose) ?? true {
                add(purpose, 8, profiles[0], speed, controls.first ?? .none)
            }
        }
        let fastest = speeds[speeds.count - 1]
        for depth in depths {
            for profile in profiles {
                for control in controls.isEmpty ? [.none] : controls {
                    add(.live, depth, profile, fastest, control)
                }
            }
        }
        return cases
    }

    @Test(arguments: cases)
    func everyPropertyExistsAndTakesItsValue(_ one: Case) throws {
        let element = try Element(one.entry.element)
        for property in one.entry.properties(for: one.task) { try element.set(property.name, to: property.value) }
    }

    @Test(.timeLimit(.minutes(10)), arguments: cases)
    func thirtyFramesOfTheSmallestSizeAreEncoded(_ one: Case) async throws {
        let size = try #require(one.entry.smallest)
        let formats = one.entry.formats(bitDepth: one.task.bitDepth, profile: one.task.profile)
        for format in formats {
            let encoder = VideoEncoder(
                codec: one.codec, element: one.entry.element, isHardware: one.entry.isHardware,
                properties: one.entry.properties(for: one.task), isRealTime: true, formats: [format],
                colorimetry: one.entry.attributes["colorimetry"], output: one.entry.output(profile: one.task.profile),
                parser: one.table.parser,
                caps: one.table.caps, reason: "")
            let source = try Caps("video/x-raw,width=\(size.width),height=\(size.height),framerate=30/1")
            let count = try await buffers(
                [.make("videotestsrc", ["num-buffers": 30, "pattern": "snow"]), .caps(source)]
                    + encoder.nodes(colorimetry: "bt709"))
            #expect(count == 30, "\(format)")
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [AudioCodec.aac, .opus, .flac, .pcm], [1, 2, 6])
    func aSecondOfAudioIsEncoded(codec: AudioCodec, channels: Int) async throws {
        let tables = try EncoderTables(PipelineFiles.find())
        for encoder in try tables.audioEncoders(for: .init(codec: codec, channels: channels, sampleRate: 44100)) {
            let source = try Caps("audio/x-raw,format=F32LE,rate=44100,channels=\(channels)")
            let count = try await buffers(
                [.make("audiotestsrc", ["num-buffers": 43]), .caps(source)] + encoder.nodes())
            #expect(count > 4, "\(encoder.element)")
        }
    }

    /// How many buffers come out of a chain.
    private func buffers(_ chain: [PipelineDescription.Node]) async throws -> Int {
        let count = Locked(0)
        try await Chain.run(chain) { _ in count.withLock { $0 += 1 } }
        return count.withLock { $0 }
    }
}
