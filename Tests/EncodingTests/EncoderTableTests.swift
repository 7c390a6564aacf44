import GStreamer
import Testing

@testable import Encoding

@Suite struct EncoderTableTests {
    @Test(arguments: EncoderTables.codecs)
    func everyTableParsesAndIsWhole(codec: String) throws {
        let table = try PipelineFiles.find().encoderTable(codec)
        #expect(!table.encoders.isEmpty && !table.profiles.isEmpty)
        #expect(!(try Caps(table.caps)).isEmpty)
        for entry in table.encoders {
            let isAudio = AudioCodec(rawValue: codec) != nil
            #expect(isAudio ? !entry.audioFormats.isEmpty : !entry.formats(bitDepth: 8, profile: nil).isEmpty)
            if !isAudio {
                let smallest = try #require(entry.smallest), largest = try #require(entry.largest)
                #expect(entry.refusal(of: smallest, as: codec) == nil && entry.refusal(of: largest, as: codec) == nil)
                #expect(entry.hasQuality || entry.hasBitrate || codec == "prores")
                if entry.hasQuality { #expect(entry.nativeQuality(0) != entry.nativeQuality(100)) }
            }
            if let output = entry.attributes["output"] { _ = try Caps(output) }
        }
    }

    @Test(arguments: EncoderTables.codecs)
    func speedsRunFromSlowestToFastest(codec: String) throws {
        let table = try PipelineFiles.find().encoderTable(codec)
        for entry in table.encoders {
            for purpose in [EncodingPurpose.live, .export] {
                let costs = entry.speeds.filter { $0.purposes.contains(purpose) }.map(\.cost)
                #expect(costs == costs.sorted(by: >))
                #expect(
                    entry.isHardware || costs.isEmpty == entry.speeds.isEmpty,
                    "\(entry.element) has no speed for \(purpose)")
            }
        }
    }

    @Test func laterGroupsWinAndOptionStringsAreJoined() throws {
        let entry = try #require(try PipelineFiles.find().encoderTable("hevc").encoders.last)
        let task = EncoderTask(
            purpose: .live, bitDepth: 8, profile: nil, speed: entry.speeds.last { !$0.isForRelief },
            control: .quality(25), rate: 29.97,
            cores: 2)
        let properties = entry.properties(for: task)
        #expect(
            properties.first { $0.name == "option-string" }?.value
                == "frame-threads=2:rc-lookahead=2:bframes=0:scenecut=0:crf=25")
        #expect(properties.first { $0.name == "key-int-max" }?.value == "60")
        #expect(properties.filter { $0.name == "speed-preset" }.map(\.value) == ["ultrafast"])
    }

    @Test(arguments: [("h264", "multipass-cache-file"), ("hevc", "option-string"), ("vp9", "multipass-cache-file")])
    func softwareEncodersKnowTwoPasses(codec: String, property: String) throws {
        let entry = try #require(
            try PipelineFiles.find().encoderTable(codec).encoders.first { $0.hasPasses })
        var found: [String] = []
        for pass in [EncodingPass.first(statistics: "/a/b"), .second(statistics: "/a/b")] {
            let task = EncoderTask(
                purpose: .export, bitDepth: 8, profile: nil, speed: nil, control: .bitrate(500_000), pass: pass,
                rate: 25,
                cores: 2)
            let properties = entry.properties(for: task)
            #expect(properties.first { $0.name == property }?.value.description.contains("/a/b") == true)
            #expect(Set(properties.map(\.name)).count == properties.count)
            found.append("\(properties)")
        }
        #expect(!entry.isHardware && found[0] != found[1] && (0.05...0.6).contains(entry.firstPassShare))
    }

    @Test func slowRatesHaveNoLookAhead() throws {
        let entry = try #require(try PipelineFiles.find().encoderTable("hevc").encoders.last)
        let task = EncoderTask(
            purpose: .live, bitDepth: 8, profile: nil, speed: nil, control: .quality(25), rate: 10, cores: 2)
        let options = entry.properties(for: task).first { $0.name == "option-string" }?.value.description
        #expect(options?.contains(":rc-lookahead=0:frame-threads=1:") == true)
    }

    @Test func oneCoreIsNotLeft() throws {
        let entry = try #require(try PipelineFiles.find().encoderTable("hevc").encoders.last)
        func options(cores: Int) -> [Substring] {
            let task = EncoderTask(
                purpose: .export, bitDepth: 8, profile: nil, speed: nil, control: .quality(25), rate: 25, cores: cores)
            let options = entry.properties(for: task).first { $0.name == "option-string" }?.value.description
            return options?.split(separator: ":") ?? []
        }
        #expect(options(cores: 1).contains("pools=none"))
        #expect(!options(cores: 2).contains("pools=none"))
    }

    @Test func qualityIsLinearBetweenTheEndsOfTheRange() throws {
        let entry = try #require(
            try PipelineFiles.find().encoderTable("h264").encoders.first { $0.element == "x264enc" }
        )
        #expect(entry.nativeQuality(0) == 48)
        #expect(entry.nativeQuality(100) == 8)
        #expect(entry.nativeQuality(50) == 28)
        #expect(entry.nativeQuality(nil) == 23)
        #expect(entry.nativeQuality(400) == 8)
    }

    @Test(arguments: EncoderTables.codecs.filter { AudioCodec(rawValue: $0) == nil })
    func qualityLevelsRiseAndAreEachAnother(codec: String) throws {
        for entry in try PipelineFiles.find().encoderTable(codec).encoders {
            let levels = entry.qualityLevels
            #expect(levels.isEmpty == !entry.hasQuality)
            #expect(Set(levels.map(\.native)).count == levels.count)
            #expect(levels.map(\.quality) == levels.map(\.quality).sorted())
            for level in levels { #expect(entry.nativeQuality(level.quality) == level.native) }
        }
    }

    @Test func finerColoursHaveTheirOwnFormats() throws {
        let hevc = try #require(try PipelineFiles.find().encoderTable("hevc").encoders.last)
        #expect(hevc.formats(bitDepth: 10, chroma: .yuv422, profile: nil) == ["I422_10LE"])
        #expect(hevc.formats(bitDepth: 8, chroma: .yuv444, profile: nil) == ["Y444"])
        let av1 = try #require(try PipelineFiles.find().encoderTable("av1").encoders.last)
        #expect(av1.formats(bitDepth: 8, chroma: .yuv422, profile: nil).isEmpty)
    }
}
