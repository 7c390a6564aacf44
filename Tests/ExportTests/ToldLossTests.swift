import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// What nothing here decodes, copies or finds in files of others is told, and the rest is there.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ToldLossTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.file(name))) }
    private func write(_ bytes: Data, _ name: String) throws { try bytes.write(to: URL(filePath: folder.file(name))) }

    private func refusal(_ input: String, to output: String, _ preset: String) async -> String {
        let error = await #expect(throws: RushesError.self) { try await export(input, to: output, preset) }
        return error?.description ?? ""
    }

    @Test func `FLAC that changes its rate on the way is refused with the time`() async throws {
        try await make("first.flac", "-map 1:a -t 1 -frame_size 1152 -c:a flac")
        try await make("second.flac", "-map 1:a -t 1 -ar 32000 -frame_size 1152 -c:a flac")
        try await write(MadeFLAC.variable(folder.file("first.flac"), folder.file("second.flac")), "in.flac")
        for name in ["out.wav", "out.flac"] {
            let words = await refusal("in.flac", to: name, "h264")
            #expect(words.contains("(flac) change at 1.00 s; split it there with ffmpeg"), "\(words)")
        }
    }

    /// The head says two channels of one, or that no frame has more than 100 bytes.
    @Test(arguments: [20..<21, 15..<18]) func `FLAC whose head is wrong is decoded as a whole`(place: Range<Int>)
        async throws
    {
        try await make("good.flac", "-map 1:a -t 1 -c:a flac")
        var bytes = try bytes("good.flac")
        let wrong = place.count == 1 ? [bytes[20] ^ 2] : [0, 0, 100]
        bytes.replaceSubrange(place, with: wrong)
        try write(bytes, "in.flac")
        for name in ["out.wav", "out.flac"] {
            let result = try await export("in.flac", to: name)
            #expect(try await decoded(name).audio == 44_100, "\(name): \(result.notes)")
        }
    }

    @Test func `the transparency of HEVC is told where frames are encoded, and kept where all is copied`() async throws
    {
        try await make("opaque.mov", "-map 0:v -t 0.2 -c:v libx265 -x265-params log-level=none -tag:v hvc1")
        // A message that says that there is such a layer (ITU-T H.265, F.14.2.8), as an array of its own.
        let message: [UInt8] = [0x4E, 0x01, 165, 4, 0x00, 0x00, 0x7F, 0x80, 0x80]
        var bytes = try GrownBox.adding(
            [0x80 | 39, 0, 1, 0, UInt8(message.count)] + message,
            to: ["moov", "trak", "mdia", "minf", "stbl", "stsd", "hvc1", "hvcC"], in: bytes("opaque.mov"))
        let record = try #require(bytes.firstRange(of: Data("hvcC".utf8))).upperBound
        bytes[record + 22] += 1
        try write(bytes, "in.mov")
        for (input, output, preset, isTold) in [
            ("in.mov", "out.mov", "h264", true), ("in.mov", "out.mp4", "copy", false),
            ("in.mov", "out.mkv", "copy", true), ("opaque.mov", "out2.mov", "h264", false),
        ] {
            let notes = try await export(input, to: output, preset).notes
            #expect(notes.contains { $0.contains("transparency of HEVC") } == isTold, "\(output): \(notes)")
        }
        #expect(try self.bytes("out.mp4").firstRange(of: Data(message)) != nil)
    }

    @Test(arguments: [("wv", "-map 1:a -c:a wavpack"), ("ivf", "-map 0:v -t 1 -c:v libvpx -deadline good -cpu-used 5")])
    func `a file of blocks that is cut off is called so`(ending: String, options: String) async throws {
        try await make("whole.\(ending)", options)
        let data = try bytes("whole.\(ending)")
        try write(data.prefix(data.count * 2 / 3), "in.\(ending)")
        for (name, isTold) in [("whole", false), ("in", true)] {
            let notes = try await export("\(name).\(ending)", to: "\(name).mov").notes
            #expect(notes.contains { $0.contains("file is cut off") } == isTold, "\(name): \(notes)")
        }
    }

    @Test func `frames that a program stream begins with and nothing decodes are told`() async throws {
        try await make("whole.mpg", "-t 1 -c:v mpeg2video -g 12 -bf 2 -c:a mp2 -f vob")
        // Packs of 2 KiB; the first group ends within the third.
        let data = try bytes("whole.mpg")
        try write(data.dropFirst(6 * 2048), "in.mpg")
        let result = try await export("in.mpg", to: "out.mp4")
        let packets = try await Tool.succeed(
            "ffprobe",
            ["-v", "quiet", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets"]
                + ["-of", "csv=p=0", folder.file("in.mpg")])
        let count = try #require(packets.text.firstMatch(of: /[0-9]+/).flatMap { Int($0.0) })
        let lost = try await count - decoded("out.mp4").frames
        #expect(lost > 2)
        // The end of a frame that ffprobe counts, too, is none.
        #expect(
            [lost - 1, lost].contains { lost in
                result.notes.contains {
                    $0.hasPrefix("The \(lost) frames before the first key frame need others")
                }
            }, "\(lost): \(result.notes)")
    }

    @Test func `what cannot be copied is refused with the reason`() async throws {
        try await make("in.jpg", "-map 0:v -frames:v 1")
        for name in ["out.mov", "out.mkv"] {
            let words = await refusal("in.jpg", to: name, "copy")
            #expect(words.contains("JPEGs without a container do not say when they are shown"), "\(words)")
        }
        try await make("whole.avi", "-t 1 -c:v mpeg4 -c:a pcm_s16le")
        let data = try bytes("whole.avi")
        try write(data.prefix(data.count * 2 / 3), "in.avi")
        let words = await refusal("in.avi", to: "out.mov", "copy")
        #expect(words.contains("it is cut off, and ffmpeg's libraries"), "\(words)")
    }

    @Test func `audio that is copied and that nothing decodes harms no export`() async throws {
        try await make("good.mp4", "\(Self.fast) -t 1 -c:a aac")
        var bytes = try bytes("good.mp4")
        // AAC-LC, 44.1 kHz, mono; then of a kind that has no such rate.
        let place = try #require(bytes.firstRange(of: Data([0x12, 0x08, 0x56, 0xE5, 0x00])))
        bytes.replaceSubrange(place, with: [0x29, 0x90, 0x56, 0xE5, 0x00])
        try write(bytes, "in.mp4")
        var settings = ExportSettings(preset: "h264")
        settings.rate = .init(15)
        let result = try await ExportSession(input: FilePath(folder.file("in.mp4")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        // ffprobe ends with an error at such audio.
        let movie = try MovieInfo(contentsOf: FilePath(folder.file("out.mp4")))
        #expect(movie.audio.count == 1 && movie.video.count == 1, "\(result.notes)")
    }
}
