import Encoding
import Errors
import Export
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Inputs that are legal and rare, or damaged where nobody notices, judged by ffprobe.
@Suite(.serialized, .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct DifficultInputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, size: String = "160x96", _ more: [String]) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=1", "-f",
                "lavfi",
                "-i", "sine=frequency=440:duration=1", "-pix_fmt", "yuv420p",
            ] + more + [folder.file(name)])
    }

    private func export(_ input: String, to name: String, _ preset: String = "h264", reencodes: Bool = true)
        async throws
        -> ExportResult
    {
        var settings = ExportSettings(preset: preset)
        settings.reencodes = reencodes && preset != "copy"
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    @Test(arguments: [("h264", "one.mp4"), ("h264", "one.mkv"), ("hevc", "one.mp4")])
    func `a movie of a single frame keeps it, and its time`(preset: String, output: String) async throws {
        // Of one frame GStreamer tells no rate.
        try await make("in.mov", ["-map", "0:v", "-frames:v", "1", "-vf", "setpts=PTS", "-r", "1", "-c:v", "mjpeg"])
        #expect(try await export("in.mov", to: output, preset).frames == 1)
        let report = try await FFProbe.inspect(folder.file(output))
        #expect(abs((report.format.duration?.value ?? 0) - 1) < 0.05)
        try await FFmpeg.decode(folder.file(output))
    }

    @Test(arguments: ["mp4", "mkv"])
    func `audio may outlast the frames, and the last frame may stay`(ending: String) async throws {
        let encoder = ["-c:v", "libx264", "-preset", "ultrafast"]
        try await make("sound.mkv", ["-af", "apad=whole_dur=4.5"] + encoder + ["-c:a", "aac"])
        let held = "setpts='if(eq(N,24),PTS+5/TB,PTS)'"
        try await make("held.mkv", ["-map", "0:v", "-vf", held, "-fps_mode", "vfr"] + encoder)
        for name in ["sound", "held"] {
            #expect(try await export("\(name).mkv", to: "new-\(name).\(ending)").frames == 25)
            #expect(try await export("\(name).mkv", to: "copy-\(name).\(ending)", "copy").frames == 25)
            let frames = try await FFProbe.frames("v:0", of: folder.file("new-\(name).\(ending)"))
            #expect(frames.count == 25)
        }
    }

    @Test(arguments: ["h264", "copy"])
    func `times that no clock tells end in words, and not the process with all that it exports`(preset: String)
        async throws
    {
        try await make(
            "in.mp4",
            ["-map", "0:v", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-video_track_timescale", "25"])
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.mp4")))
        func write(_ value: UInt32, at offset: Int, in box: String) throws {
            let place = try #require(bytes.firstRange(of: Data(box.utf8))).lowerBound + offset
            withUnsafeBytes(of: value.bigEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        }
        // One tick a second, and a frame for 68 years (ISO/IEC 14496-12, 8.4.2 and 8.6.1.2); no edit shortens that.
        try write(1, at: 16, in: "mdhd")
        try write(.max / 2, at: 16, in: "stts")
        try write(0x6672_6565, at: 0, in: "elst")
        try bytes.write(to: URL(filePath: folder.file("in.mp4")))
        for ending in ["mp4", "mkv"] {
            // What is written of it, if anything is, is of no use to anybody; that it ends is what counts.
            _ = try? await export("in.mp4", to: "new.\(ending)", preset)
        }
        #expect(folder.contents.allSatisfy { !$0.contains(".part") })
    }

    @Test func `frames that GStreamer takes for a preview are written, and not lost without a word`() async throws {
        let encoder = ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]
        for name in ["in.mkv", "in.mp4"] { try await make(name, ["-af", "apad=whole_dur=6"] + encoder) }
        #expect(try await export("in.mkv", to: "out.mp4").frames == 25)
        #expect(try await FFProbe.frames("v:0", of: folder.file("out.mp4")).count == 25)
        #expect(try await export("in.mp4", to: "new.mp4").frames == 25)
        #expect(try await FFProbe.frames("v:0", of: folder.file("new.mp4")).count == 25)
        #expect(try await export("in.mp4", to: "copy.mov", "copy", reencodes: false).frames == 25)
    }

    @Test func `a frame that changes its size on the way is fitted where it is encoded, and never lost`() async throws {
        try await make("small.ts", ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"])
        try await make(
            "large.ts", size: "320x192",
            ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-output_ts_offset", "1"])
        _ = try await Tool.succeed(
            "bash",
            [
                "-c", "cat small.ts large.ts > both.ts; ffmpeg -nostdin -v error -i both.ts -map 0 -c copy both.mkv",
            ], folder: folder.path)
        for input in ["both.ts", "both.mkv"] {
            #expect(try await export(input, to: "encoded-\(input).mp4").frames == 50)
            let frame = try await FFProbe.inspect(folder.file("encoded-\(input).mp4")).video.first
            #expect(frame?.width == 160 && frame?.nbFrames?.value == 50)
            // As Matroska it stays as it is.
            guard input.hasSuffix("ts") else { continue }
            let error = await #expect(throws: RushesError.self, "\(input)") {
                try await export(input, to: "copy.mkv", "copy", reencodes: false)
            }
            #expect(error?.description.contains("encode it again") == true, "\(String(describing: error))")
            #expect(!folder.contents.contains { $0.hasPrefix("copy") })
        }
    }

    @Test func `a time that one turned bit put hours away does not take the rest with it`() async throws {
        try await make("in.ts", ["-c:v", "mpeg2video", "-c:a", "mp2"])
        let file = URL(filePath: folder.file("in.ts"))
        var bytes = [UInt8](try Data(contentsOf: file))
        // The audio's fifth packet: bit 31 of its time (ISO/IEC 13818-1, 2.4.3.6).
        let packets = bytes.indices.dropLast(14).filter { bytes[$0..<$0 + 4].elementsEqual([0, 0, 1, 0xC0]) }
        try #require(packets.count > 5)
        bytes[packets[4] + 9] ^= 0x04
        try Data(bytes).write(to: file)
        #expect(try await export("in.ts", to: "out.mp4").frames == 25)
        let report = try await FFProbe.inspect(folder.file("out.mp4"))
        #expect((report.format.duration?.value ?? 0) < 1.5)
        let audio = try await FFmpeg.audio(of: folder.file("out.mp4"), start: 0.8, duration: 0.1)
        #expect(audio.contains { abs($0) > 0.05 })
    }

    @Test func `a stream without any times is shown at its rate`() async throws {
        try await make("in.h264", ["-map", "0:v", "-c:v", "libx264", "-preset", "ultrafast"])
        for reencodes in [true, false] {
            #expect(try await export("in.h264", to: "\(reencodes).mp4", reencodes: reencodes).frames == 25)
            let report = try await FFProbe.inspect(folder.file("\(reencodes).mp4"))
            #expect(abs((report.format.duration?.value ?? 0) - 1) < 0.05)
        }
    }

    @Test func `frames that the decoder leaves out are counted, and those of a whole movie are not`() async throws {
        try await make("whole.mov", ["-map", "0:v", "-c:v", "mjpeg"])
        let packets = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", folder.file("whole.mov")])
        let places = packets.text.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",").compactMap { Int($0) }
        }
        try #require(places.count == 25 && places.allSatisfy { $0.count == 2 })
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.file("whole.mov"))))
        for place in [places[7], places[15]] {
            // ffprobe's order is its own: size, then position.
            for index in place[1]..<place[1] + place[0] { bytes[index] = 0 }
        }
        try Data(bytes).write(to: URL(filePath: folder.file("broken.mov")))
        let broken = try await export("broken.mov", to: "broken.mp4")
        #expect(
            broken.frames == 23 && broken.notes.contains { $0.hasPrefix("2 of the input's 25 frames are missing") })
        let whole = try await export("whole.mov", to: "whole.mp4")
        #expect(whole.frames == 25 && !whole.notes.contains { $0.contains("missing") }, "\(whole)")
    }

    @Test func `an encrypted movie is refused as such`() async throws {
        let key = String(repeating: "0f", count: 16)
        try await make(
            "in.mp4",
            [
                "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-encryption_scheme", "cenc-aes-ctr",
                "-encryption_key", key, "-encryption_kid", key,
            ])
        let error = await #expect(throws: RushesError.self) { try await export("in.mp4", to: "out.mp4") }
        #expect(error?.code == .badInput && error?.description.contains("encrypted") == true)
        #expect(folder.contents == ["in.mp4"])
    }

    @Test func `a frame of one pixel is refused with the smallest size`() async throws {
        try await make("in.mov", ["-map", "0:v", "-vf", "format=rgb24,crop=1:1", "-pix_fmt", "rgb24", "-c:v", "png"])
        let error = await #expect(throws: RushesError.self) { try await export("in.mov", to: "out.mp4") }
        #expect(error?.description.contains("16×16") == true)
        #expect(folder.contents == ["in.mov"])
    }
}
