import Encoding
import Errors
import Export
import Foundation
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// The parts of a movie as files of their own, as ffmpeg decodes them: together they have every frame once, and the audio without a gap.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct SeparateExportTests {
    private static let h264 = "-c:v libx264 -preset veryfast -g 25 -sc_threshold 0 -bf 2 -c:a aac"
    private static let open =
        "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=25:min-keyint=25:open-gop=1:bframes=3 -tag:v hvc1 -c:a aac"

    private func separate(
        _ movie: MadeMovie, _ parts: [PartChoice], _ settings: ExportSettings, to name: String
    ) async throws -> SeparateFiles {
        try await ExportSession(input: FilePath(movie.path), settings: settings, center: nil)
            .export(parts, to: MovieDestination(FilePath(movie.folder.file(name))))
    }

    private static var copy: ExportSettings {
        var settings = ExportSettings(preset: "copy")
        settings.verification = .full
        return settings
    }

    private func frames(_ files: SeparateFiles) async throws -> [[Int]] {
        var frames: [[Int]] = []
        for file in files.files { frames.append(try await MadeMovie.frames(at: file.path.string)) }
        return frames
    }

    /// Of each frame, as it is decoded.
    private func checksums(_ paths: [String]) async throws -> [Substring] {
        var checksums: [Substring] = []
        for path in paths {
            let result = try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5",
                    "-",
                ])
            checksums += result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .compactMap { $0.split(separator: ",").last }
        }
        return checksums
    }

    /// Samples at 48 kHz.
    private func samples(_ path: String) async throws -> [Int16] {
        let result = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-"])
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    struct Split: Sendable, CustomTestStringConvertible {
        var input: String
        var options: String
        var output: String
        var testDescription: String { "\(input) to \(output)" }
    }

    /// Noise, as groups of less than 4 kB share a cluster of ffmpeg's, in which matroskademux (1.22) finds the first key frame alone.
    private static let vp8 =
        "-vf noise=alls=30:allf=t -c:v libvpx -deadline realtime -cpu-used 8 -b:v 300k -g 25 -c:a libvorbis"

    private static let copies = [
        // What no index of a movie could have.
        Split(input: "vp8.webm", options: vp8, output: "cut.webm"),
        Split(input: "mpeg2.mkv", options: "-c:v mpeg2video -g 25 -c:a ac3", output: "cut.mkv"),
        Split(input: "in.mp4", options: h264, output: "cut.mp4"),
        Split(input: "in.mp4", options: h264, output: "cut.mkv"),
        Split(input: "in.mkv", options: h264, output: "cut.mkv"),
        Split(input: "in.mkv", options: h264, output: "cut.mov"),
        Split(input: "fragments.mp4", options: h264 + " -movflags frag_keyframe+empty_moov", output: "cut.mp4"),
        Split(input: "open.mp4", options: open, output: "cut.mp4"),
        Split(
            input: "uneven.mov",
            options: "-vf select='mod(n\\,7)-3' -fps_mode vfr " + h264.replacing("-g 25", with: "-g 20"),
            output: "cut.mkv"),
    ]

    @Test(arguments: Cases.taken(of: copies))
    func `copied pieces have every frame once, bit by bit`(split: Split) async throws {
        let movie = try await MadeMovie(split.input, split.options, seconds: 9)
        let made = try await separate(movie, [.every(2300 * .millisecond)], Self.copy, to: split.output)
        #expect(made.files.count > 2)
        let paths = made.files.map(\.path.string)
        #expect(try await checksums(paths) == checksums([movie.path]))
        // Packets of AAC that are cut in two are in both files, and players hear each half.
        let all = try await samples(movie.path).count
        var sum = 0
        for path in paths { sum += try await samples(path).count }
        #expect(abs(sum - all) < 1536 * made.files.count, "\(sum) \(all)")
        #expect(
            !made.files.contains {
                $0.notes.contains { $0.contains("encoded again") || $0.contains("before the part") }
            })
        #expect(made.notes.contains { $0.contains("begins with a key frame") }, "\(made.notes)")
    }

    /// Both files would have a packet that lies on the boundary.
    @Test func `a packet of audio that Matroska cannot cut is in one of two files`() async throws {
        let movie = try await MadeMovie("in.mkv", Self.h264, seconds: 9)
        let made = try await separate(movie, [.every(2300 * .millisecond)], Self.copy, to: "cut.mkv")
        var sum = 0
        for file in made.files { sum += try await packets(file.path.string) }
        #expect(try await sum == packets(movie.path))
    }

    private func packets(_ path: String) async throws -> Int {
        let result = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "a", "-count_packets", "-show_entries", "stream=nb_read_packets",
                "-of", "csv=p=0", path,
            ])
        return try #require(Int(result.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test(arguments: ["in.mp4", "in.mkv", "in.ts"]) func `encoded pieces have every frame once, and as much audio`(
        name: String
    ) async throws {
        let movie = try await MadeMovie(name, Self.h264, seconds: 7)
        var settings = MadeMovie.settings()
        settings.audio = .codec(.pcm)
        // Between two frames.
        let made = try await separate(movie, [.every(2110 * .millisecond)], settings, to: "cut.mov")
        let all = try await MadeMovie.frames(at: movie.path)
        let frames = try await frames(made)
        #expect(frames.flatMap(\.self) == all && frames.count == 4, "\(frames)")
        for (file, frames) in zip(made.files, frames).dropLast() {
            let count = try await samples(file.path.string).count
            // From one frame to the next, but for a stream without an index, whose frames nobody knows before.
            let tolerance = name == "in.ts" ? 1920 : 48
            // Matroska's frames begin 21 ms behind what primes the audio's decoder.
            let before = name == "in.mkv" && frames.first == 0 ? 1008 : 0
            #expect(abs(count - before - frames.count * 1920) <= tolerance, "\(file.path) \(count)")
        }
    }

    @Test func `explicit parts are exact, also where they are copied, and may stand in any order`() async throws {
        let movie = try await MadeMovie("in.mp4", Self.h264, seconds: 6)
        let parts: [PartChoice] = [
            .range(TimeRange(start: 3210 * .millisecond)),
            .range(TimeRange(start: 400 * .millisecond, end: 3210 * .millisecond)),
        ]
        let made = try await separate(movie, parts, Self.copy, to: "cut.mp4")
        #expect(try await frames(made) == [Array(81..<150), Array(10..<81)])
        #expect(made.files.map { $0.path.lastComponent?.string } == ["cut-1.mp4", "cut-2.mp4"])
        for file in made.files { try await FFmpeg.decode(file.path.string) }
    }

    // MARK: Chapters

    private func chaptered(_ name: String = "in.mp4", seconds: Double = 6) async throws -> MadeMovie {
        let movie = try await MadeMovie(name, Self.h264, seconds: seconds)
        try MovieEditing.setMetadata(
            MovieMetadata(title: "The film"),
            chapters: [
                .init(start: .zero, title: "A/B: start"), .init(start: 2010 * .millisecond, title: "Middle"),
                .init(start: 4 * .second, title: "End?"),
            ], ofMovieAt: FilePath(movie.path))
        return movie
    }

    @Test(arguments: Cases.taken(of: ["cut.mp4", "cut.mov", "cut.mkv", "cut.m4a", "cut.mp3"]), ["copy", "h264"])
    func `each chapter has its title, in its name and in its tags`(name: String, preset: String) async throws {
        guard name != "cut.mp3" || preset != "copy" else { return }
        let movie = try await chaptered()
        let made = try await separate(movie, [.chapters(nil)], ExportSettings(preset: preset), to: name)
        let ending = name.split(separator: ".").last ?? ""
        let names = ["cut-1 – A-B- start", "cut-2 – Middle", "cut-3 – End-"].map { "\($0).\(ending)" }
        #expect(made.files.compactMap { $0.path.lastComponent?.string } == names)
        for (file, title) in zip(made.files, ["A/B: start", "Middle", "End?"]) {
            let probed = try await Tool.succeed(
                "ffprobe",
                [
                    "-v", "error", "-show_entries", "format_tags=title,TITLE:chapter_tags=title", "-of", "csv=p=0",
                    file.path.string,
                ])
            #expect(probed.text.split(separator: "\n") == [Substring(title), Substring(title)], "\(probed.text)")
        }
        guard name != "cut.m4a", name != "cut.mp3" else { return }
        let frames = try await frames(made)
        // Into Matroska, which has no edits, copies begin with the key frame before, and say so.
        let isExact = preset != "copy" || name != "cut.mkv"
        let exact: [[Int]] = [Array(0..<51), Array(51..<100), Array(100..<150)]
        if isExact { #expect(frames == exact) } else { #expect(Set(frames.joined()).count == 150) }
        #expect(isExact || made.files[1].notes.contains { $0.contains("begin with a key frame") })
    }

    @Test func `chapters by their numbers are joined where they are not separate`() async throws {
        let movie = try await chaptered()
        var settings = Self.copy
        settings.parts = try PartChoice.joined([.chapters([3...3, 1...1])], of: FilePath(movie.path))
        _ = try await movie.export(settings, to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == Array(100..<150) + Array(0..<51))
        #expect(throws: RushesError.self) { try PartChoice.joined([.chapters(nil)], of: FilePath(movie.path)) }
    }

    // MARK: What goes wrong

    @Test func `no file is made where one of the names is taken, and one that fails leaves the others`() async throws {
        let movie = try await MadeMovie("in.mp4", Self.h264, seconds: 4)
        try Data("mine".utf8).write(to: URL(filePath: movie.folder.file("cut-2.mp4")))
        let refusal = await #expect(throws: RushesError.self) {
            try await separate(movie, [.every(2 * .second)], Self.copy, to: "cut.mp4")
        }
        #expect(refusal?.code == .fileExists && movie.folder.contents == ["cut-2.mp4", "in.mp4"])
        // A name that somebody takes when the second is made.
        let session = ExportSession(input: FilePath(movie.path), settings: Self.copy, center: ActivityCenter()) { _ in
            try? Data("mine".utf8).write(to: URL(filePath: movie.folder.file("b-2.mp4")))
        }
        let failure = await #expect(throws: RushesError.self) {
            try await session.export(
                [.every(2 * .second)], to: MovieDestination(FilePath(movie.folder.file("b.mp4"))))
        }
        let words = failure?.description ?? ""
        #expect(
            words.hasPrefix("Part 2 of 2, b-2.mp4, failed: ") && words.hasSuffix("b-1.mp4 is complete."), "\(words)")
        #expect(session.separated.files.map { $0.path.lastComponent?.string } == ["b-1.mp4"])
        #expect(try await movie.frames(of: "b-1.mp4") == Array(0..<50))
        #expect(try Data(contentsOf: URL(filePath: movie.folder.file("b-2.mp4"))) == Data("mine".utf8))
        #expect(session.activity?.content.state.phase == .failed)
    }

    @Test func `all files are one activity, which counts them`() async throws {
        let movie = try await MadeMovie("in.mp4", Self.h264, seconds: 4)
        let center = ActivityCenter()
        let session = ExportSession(input: FilePath(movie.path), settings: MadeMovie.settings(), center: center)
        let made = try await session.export(
            [.every(1500 * .millisecond)], to: MovieDestination(FilePath(movie.folder.file("cut.mp4"))))
        let activity = try #require(session.activity)
        #expect(center.activities.map(\.id) == [activity.id])
        var fraction = 0.0
        for await event in activity.events {
            let state = event.contentState
            #expect(state.fraction ?? 0 >= fraction && (state.fraction != 1 || state.phase == .finished))
            fraction = state.fraction ?? fraction
        }
        let end = activity.content.state
        #expect(end.phase == .finished && end.completedItems == 3 && end.totalItems == 3 && end.fileIsGood == true)
        #expect(end.output == movie.folder.path && end.framesWritten == 100)
        #expect(end.bytesWritten == made.files.reduce(0) { $0 + $1.size })
        #expect(end.message == "cut-1.mp4 to cut-3.mp4 are complete.")
    }

    @Test func `black bars are looked for once, so that all files have one size`() async throws {
        let movie = try await MadeMovie(
            "in.mp4", "-vf pad=160:160:0:20:black -c:v libx264 -preset veryfast -an", seconds: 4)
        var settings = MadeMovie.settings()
        settings.cropsBlackBars = true
        let made = try await separate(movie, [.every(2 * .second)], settings, to: "cut.mp4")
        #expect(made.notes.count == 1, "\(made.notes)")
        for file in made.files {
            let report = try await FFProbe.inspect(file.path.string)
            #expect(report.video.first?.height == 120)
        }
    }
}
