import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// The audio of a timelapse, judged by ffmpeg and sox.
@Suite(
    .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg"), .requires(tool: "sox", package: "sox"))
struct TimelapseAudioTests {
    private let folder: TemporaryFolder

    /// Eight seconds, with a tone of 1000 Hz from the fourth on.
    init() async throws {
        folder = try TemporaryFolder()
        try await Fixtures.make(
            folder.file("talk.mp4"), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=8"]
                + ["-f", "lavfi", "-i", "aevalsrc='if(gte(t,4),0.5*sin(2*PI*1000*t),0)':s=48000:d=8"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac"])
    }

    private func make(
        _ name: String, of input: String = "talk.mp4", _ change: (inout Timelapse) -> Void
    ) async throws -> ExportResult {
        var timelapse = Timelapse(ofVideo: FilePath(folder.file(input)), .speed(2))
        timelapse.keepsAudio = true
        change(&timelapse)
        return try await ExportSession(
            timelapse: timelapse, settings: ExportSettings(preset: "h264"), isActivity: false
        )
        .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    @Test(arguments: ["mp4", "mkv"]) func `further audio and subtitles are told`(type: String) async throws {
        let text = folder.file("text.srt")
        try Data("1\n00:00:00,200 --> 00:00:00,800\nOne\n\n".utf8).write(to: URL(filePath: text))
        let (input, codec) = (folder.file("two.\(type)"), type == "mp4" ? "mov_text" : "srt")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("talk.mp4"), "-i", text, "-map", "0:v", "-map", "0:a"]
                + ["-map", "0:a", "-map", "1", "-c", "copy", "-c:s", codec, input])
        for keepsAudio in [true, false] {
            var timelapse = Timelapse(ofVideo: FilePath(input), .speed(2))
            timelapse.keepsAudio = keepsAudio
            let settings = ExportSettings(preset: "h264")
            let result = try await ExportSession(timelapse: timelapse, settings: settings, isActivity: false)
                .export(to: MovieDestination(FilePath(folder.file("out-\(keepsAudio).mp4"))))
            #expect(result.notes.contains("The subtitles of two.\(type) were left out."), "\(result.notes)")
            let words = "Of the 2 audio tracks of two.\(type) the first alone is kept."
            #expect(result.notes.contains(words) == keepsAudio, "\(result.notes)")
        }
    }

    /// The frequency and the mean level of a part, as sox measures them.
    private func sound(_ name: String, from start: Double, to end: Double) async throws -> (
        hertz: Double, level: Double
    ) {
        let wave = folder.file("part.wav")
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-y", "-i", folder.file(name), "-vn", "-ac", "1", wave])
        let said = try await Tool.succeed("sox", [wave, "-n", "trim", "\(start)", "\(end - start)", "stat"]).errors
        func number(_ label: String) -> Double {
            let line = said.split(separator: "\n").first { $0.hasPrefix(label) }
            return line.flatMap { $0.split(separator: ":").last }.flatMap {
                Double($0.trimmingCharacters(in: .whitespaces))
            } ?? -1
        }
        return (number("Rough   frequency"), number("RMS     amplitude"))
    }

    @Test(arguments: [("out.mp4", 2.0), ("out.mov", 4.0), ("out.mkv", 3.0)])
    func `it is as fast as the frames, and its pitch stays`(_ name: String, _ speed: Double) async throws {
        let result = try await make(name) {
            $0.pace = .speed(speed)
            $0.look.keogram = speed == 3 ? MovieDestination(FilePath(folder.file("keogram.png"))) : nil
        }
        let probe = try await FFProbe.inspect(folder.file(name))
        #expect(probe.audio.count == 1 && probe.video.count == 1, "\(result.notes)")
        #expect(abs(result.duration.seconds - 8 / speed) < 0.1, "\(result.duration)")
        let border = 4 / speed
        let before = try await sound(name, from: 0, to: border - 0.1)
        let after = try await sound(name, from: border + 0.1, to: 8 / speed - 0.1)
        #expect(before.level < 0.01 && abs(after.hertz - 1000) < 30 && after.level > 0.25, "\(before) \(after)")
    }

    /// As of a broadcast that was switched on between two key frames: the tone is heard with the frame 3.4 s behind the first.
    @Test(arguments: Cases.taken(of: ["late.ts", "late.mpg", "late.mkv", "late.mp4", "late.mov"]), [true, false])
    func `audio that begins before the frames is in step with them, and so are chapters`(
        input: String, readsAll: Bool
    ) async throws {
        let codecs =
            input.hasSuffix("mpg") ? ["-c:v", "mpeg2video", "-c:a", "mp2"] : ["-c:v", "libx264", "-c:a", "aac"]
        try Data(
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=4000\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=4000\nEND=8000\n"
                .utf8
        ).write(to: URL(filePath: folder.file("chapters.txt")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-itsoffset", "0.6", "-f", "lavfi"]
                + ["-i", "testsrc2=size=160x120:rate=25:duration=7.4", "-f", "lavfi"]
                + ["-i", "aevalsrc='if(gte(t,4),0.5*sin(2*PI*1000*t),0)':s=48000:d=8"]
                + ["-i", folder.file("chapters.txt"), "-map_chapters", "2", "-map", "0", "-map", "1"]
                + ["-fps_mode", "passthrough", "-g", "25"] + codecs + [folder.file(input)])
        _ = try await make("out.mov", of: input) { if readsAll { $0.look.blend = .shutter(degrees: 180) } }
        let times = try await FFProbe.frames("v:0", of: folder.file("out.mov")).compactMap { $0.ptsTime?.value }
        #expect(times.first == 0 && abs((times.last ?? 0) - (7.4 / 2 - 1.0 / 30)) < 0.02, "\(times)")
        let before = try await sound("out.mov", from: 0, to: 1.65)
        let after = try await sound("out.mov", from: 1.75, to: 3.6)
        #expect(before.level < 0.02 && abs(after.hertz - 1000) < 30 && after.level > 0.25, "\(before) \(after)")
        let length = try await FFProbe.inspect(folder.file("out.mov")).audio.first?.duration?.value
        #expect(abs((length ?? 0) - 3.7) < 0.1, "\(length as Any)")
        guard !input.hasSuffix("ts"), !input.hasSuffix("mpg") else { return }
        let chapters = try MovieInfo(contentsOf: FilePath(folder.file("out.mov"))).chapters
        #expect(chapters.count == 2 && abs((chapters.last?.start.seconds ?? 0) - 1.7) < 0.04, "\(chapters)")
    }

    /// A wall with flashes, also in the first frame, and a lamp that is switched off as a tone begins and a chapter does.
    @Test(arguments: [true, false]) func `flashes are left out, and what is heard and told stays with its frames`(
        keepsAudio: Bool
    ) async throws {
        try Data(
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=4800\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=4800\nEND=6000\n"
                .utf8
        ).write(to: URL(filePath: folder.file("chapters.txt")))
        let flashes = "eq(n,0)+eq(n,50)+eq(n,51)+eq(n,100)"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i"]
                + [
                    "color=0x808080:size=160x120:rate=25:duration=6,drawbox=t=fill:color=white:enable='\(flashes)',"
                        + "drawbox=t=fill:color=0x404040:enable='gte(n,120)'"
                ] + ["-f", "lavfi", "-i", "aevalsrc='if(gte(t,4.8),0.5*sin(2*PI*1000*t),0)':s=48000:d=6"]
                + ["-i", folder.file("chapters.txt"), "-map_chapters", "2", "-map", "0", "-map", "1"]
                + ["-c:v", "libx264", "-qp", "6", "-g", "25", "-c:a", "aac", folder.file("wall.mp4")])
        let result = try await make("out.mov", of: "wall.mp4") {
            ($0.pace, $0.rate, $0.keepsAudio, $0.light.dropsFlashes) = (.speed(1), Fraction(25), keepsAudio, true)
        }
        let raw = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("out.mov"), "-vf", "scale=1:1:flags=area,format=gray"]
                + ["-fps_mode", "passthrough", "-f", "rawvideo", "-"])
        let levels = Array(raw.output).map { $0 > 200 ? 2 : $0 > 95 ? 1 : 0 }
        // No frame stands before the first.
        let wanted = Array(repeating: 1, count: keepsAudio ? 119 : 116) + Array(repeating: 0, count: 30)
        #expect(levels == (keepsAudio ? [2] : []) + wanted, "\(levels)")
        let times = try await FFProbe.frames("v:0", of: folder.file("out.mov")).compactMap { $0.ptsTime?.value }
        #expect(times.enumerated().allSatisfy { abs($1 - Double($0) / 25) < 0.002 }, "\(times)")
        let note = try #require(result.notes.first { $0.contains("light stands out") })
        #expect(
            note.hasPrefix(keepsAudio ? "3 of 150" : "4 of 150") && note.contains("instead") == keepsAudio, "\(note)")
        let chapter = try MovieInfo(contentsOf: FilePath(folder.file("out.mov"))).chapters.last
        #expect(abs((chapter?.start.seconds ?? 0) - (keepsAudio ? 4.8 : 4.64)) < 0.01, "\(chapter as Any)")
        guard keepsAudio else { return }
        let before = try await sound("out.mov", from: 0, to: 4.7)
        let after = try await sound("out.mov", from: 4.85, to: 5.9)
        #expect(before.level < 0.02 && abs(after.hertz - 1000) < 30 && after.level > 0.25, "\(before) \(after)")
    }

    @Test func `what nobody would understand is refused, and so is what has no audio`() async throws {
        for pace in [
            Timelapse.Pace.speed(4.1), .length(.second),
            .ramp([SpeedPoint(2, at: .zero), SpeedPoint(3, at: 4 * .second)]),
        ] {
            let error = await #expect(throws: RushesError.self) { try await make("out.mp4") { $0.pace = pace } }
            #expect(error?.code == .invalidSettings, "\(error as Any)")
        }
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("talk.mp4"), "-an", "-c", "copy", folder.file("mute.mp4")])
        var mute = Timelapse(ofVideo: FilePath(folder.file("mute.mp4")), .speed(2))
        mute.keepsAudio = true
        let error = await #expect(throws: RushesError.self) {
            try await ExportSession(timelapse: mute, isActivity: false)
                .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        }
        #expect(error?.description.contains("has no audio") == true, "\(error as Any)")
        var photos = Timelapse(ofPhotos: [FilePath(folder.path)])
        photos.keepsAudio = true
        #expect(throws: RushesError.self) { try ExportSession(timelapse: photos) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.mp4")))
    }
}
