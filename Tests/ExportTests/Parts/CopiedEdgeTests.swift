import Encoding
import Export
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Parts that are copied from between two key frames: what comes before the second is encoded again, the rest is as it was.
@Suite("The edge of a copied part", .serialized, .timeLimit(.minutes(10))) struct CopiedEdgeTests {
    /// A key frame every twelve frames: at 0, 0.48, 0.96, 1.44, 1.92 and 2.40 s.
    private static let h264 = "-c:v libx264 -preset veryfast -g 12 -sc_threshold 0 -c:a aac -bf"
    private static let hevc =
        "-c:v libx265 -preset ultrafast -x265-params log-level=none:open-gop=0:keyint=12:scenecut=0:bframes=2 -tag:v hvc1"

    struct Input: Sendable, CustomTestStringConvertible {
        var name: String
        var options: String
        var testDescription: String { "\(name) \(options)" }
    }

    static let inputs = [
        Input(name: "straight.mp4", options: h264 + " 0 -profile:v baseline"),
        Input(name: "reordered.mov", options: h264 + " 3"),
        Input(name: "coloured.mp4", options: h264 + " 2 -colorspace bt709 -color_primaries bt709 -color_trc bt709"),
        Input(name: "fragments.mp4", options: h264 + " 2 -movflags frag_keyframe+empty_moov+default_base_moof"),
        Input(name: "hevc.mp4", options: hevc),
    ]

    private func settings(_ start: Int, _ end: Int) -> ExportSettings {
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: start * .millisecond, end: end * .millisecond)
        settings.verification = .full
        return settings
    }

    /// A part, in milliseconds, and how many of its frames come before a key frame.
    static let parts = [(480, 520, 0), (1000, 2000, 11), (1400, 1480, 1), (1520, 3000, 10)]

    @Test("is encoded, and the groups behind it are copied bit by bit", arguments: Cases.taken(of: inputs, most: 3))
    func frames(_ input: Input) async throws {
        let movie = try await MadeMovie(input.name, input.options)
        let report = try await FFProbe.inspect(movie.path)
        let late = report.video.first?.startTime.map { Int(($0.value * 1000).rounded()) } ?? 0
        let all = try await Self.checksums(movie.path)
        // Of a movie that begins later, ffmpeg's parts count from there.
        for (start, end, encoded) in Self.parts.map({ ($0 + late, $1 + late, $2) }) {
            let name = "part-\(start)-\(end).\(input.name.hasSuffix("mov") ? "mp4" : "mov")"
            let result = try await movie.export(settings(start, end), to: name)
            let (first, count) = ((start - late) / 40, (end - start) / 40)
            let wanted = Array(first..<first + count)
            #expect(try await movie.frames(of: name) == wanted)
            let checksums = try await Self.checksums(movie.folder.file(name))
            #expect(Array(checksums.dropFirst(encoded)) == Array(all[first + encoded..<first + count]))
            try await FFmpeg.decode(movie.folder.file(name))
            let info = try MovieInfo(contentsOf: FilePath(movie.folder.file(name)))
            // Nothing from before the part; behind it what the last frames need.
            #expect((count...count + 4).contains(info.video.first?.frameCount ?? 0))
            #expect(abs(info.duration.seconds - Double(end - start) / 1000) < 0.002)
            #expect(result.notes.contains { $0.contains("encoded again; the rest is copied") } == (encoded > 0))
            #expect(!result.notes.contains { $0.contains("edit list") })
            let part = try await FFProbe.inspect(movie.folder.file(name))
            #expect(part.video.first?.colorSpace == report.video.first?.colorSpace)
            #expect(abs((part.video.first?.startTime?.value ?? .nan)) < 0.0005)
            let audio = try #require(part.audio.first?.duration?.value)
            #expect(abs(audio - Double(end - start) / 1000) < 1024.0 / 48000 + 0.001)
            #expect(movie.folder.contents.allSatisfy { !$0.contains(".part") })
        }
    }

    @Test("looks as it did")
    func similarity() async throws {
        let folder = try TemporaryFolder()
        let (take, part, reference) = (folder.file("take.mp4"), folder.file("part.mp4"), folder.file("reference.mkv"))
        let source = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2,noise=alls=6:allf=t"]
        let codec = ["-c:v", "libx264", "-preset", "veryfast", "-g", "40", "-sc_threshold", "0", "-pix_fmt", "yuv420p"]
        _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error"] + source + codec + [take])
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-ss", "0.6", "-t", "1.2", "-i", take, "-c:v", "ffv1", reference])
        let result = try await ExportSession(input: FilePath(take), settings: settings(600, 1800))
            .export(to: MovieDestination(FilePath(part)))
        #expect(result.notes.contains { $0.contains("The 1.00 s before") })
        #expect(try await FFmpeg.psnr(of: part, reference: reference) > 45)
    }

    @Test("can be cut again")
    func again() async throws {
        let movie = try await MadeMovie("take.mp4", Self.h264 + " 2")
        _ = try await movie.export(settings(1000, 3000), to: "part.mp4")
        let part = ExportSession(input: FilePath(movie.folder.file("part.mp4")), settings: settings(200, 1800))
        let result = try await part.export(to: MovieDestination(FilePath(movie.folder.file("again.mov"))))
        #expect(result.notes.contains { $0.contains("encoded again") })
        #expect(try await movie.frames(of: "again.mov") == Array(30..<70))
        try await FFmpeg.decode(movie.folder.file("again.mov"))
    }

    @Test("is hidden where no closed GOP follows, and all is encoded where none lies in the part")
    func elsewhere() async throws {
        let movie = try await MadeMovie("open.mp4", Self.h264 + " 2 -x264-params open-gop=1")
        for (name, start, end, words) in [
            ("late.mp4", 1120, 1400, "between two key frames"), ("one.mp4", 1120, 1160, "between two key frames"),
            ("open.mov", 1120, 2000, "edit list hides"),
        ] {
            var settings = settings(start, end)
            settings.verification = .quick
            let result = try await movie.export(settings, to: name)
            #expect(try await movie.frames(of: name) == Array(start / 40..<end / 40))
            #expect(result.notes.contains { $0.contains(words) }, "\(result.notes)")
        }
    }

    @Test("plays in Chromium, before and behind the seam", .requires(tool: "chromium", package: "chromium"))
    func browser() async throws {
        let movie = try await MadeMovie("take.mov", Self.h264 + " 2")
        _ = try await movie.export(settings(1000, 2000), to: "part.mp4")
        let bytes = try Data(contentsOf: URL(filePath: movie.folder.file("part.mp4")))
        // From a file a page may not read the pixels of another.
        let page = "<video muted src='data:video/mp4;base64,\(bytes.base64EncodedString())'></video>"
        try Data(page.utf8).write(to: URL(filePath: movie.folder.file("page.html")))
        let browser = try BrowserPage()
        try await browser.open("file://" + movie.folder.file("page.html"))
        try await browser.waitUntil("document.querySelector('video').readyState > 1")
        // Forwards and back across the seam, which is at 0.44 s.
        for frame in [0, 10, 11, 12, 20, 5, 11, 24] {
            let seen = try await browser.evaluate(Self.seek(to: Double(frame) / 25 + 0.02, expecting: frame + 25))
            #expect(seen == "\(frame + 25)")
        }
    }

    /// Seeks, and tells the number of the frame that is seen then: the expected one, or another one that stays.
    private static func seek(to time: Double, expecting number: Int) -> String {
        """
        (async () => {
          const video = document.querySelector('video'), canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [8, 1];
          const context = canvas.getContext('2d', {willReadFrequently: true});
          const sought = new Promise(done => { video.onseeked = done; video.onerror = done; });
          video.currentTime = \(time);
          await sought;
          if (video.error) return video.error.message;
          let seen = -1;
          for (let attempt = 0; attempt < 300 && seen != \(number); attempt++) {
            if (attempt) await new Promise(done => setTimeout(done, 100));
            context.drawImage(video, 0, 0, 8, 1);
            const pixels = context.getImageData(0, 0, 8, 1).data;
            seen = [0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, bit) => sum | (pixels[bit * 4] > 128) << bit, 0);
          }
          return seen;
        })()
        """
    }

    /// Of each decoded frame.
    private static func checksums(_ file: String) async throws -> [Substring] {
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", file, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        return String(decoding: result.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last }
    }
}
