import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Composition
@testable import Export

/// What is done to frames of timelapses and made of them, beside what ffmpeg makes of the same frames.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TimelapseLookTests {
    let folder: TemporaryFolder
    /// 200 frames in which everything moves, at 25 a second; night falls in the second half.
    let scene: String

    init() async throws {
        folder = try TemporaryFolder()
        scene = folder.file("scene.mkv")
        try await Fixtures.make(
            scene, "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "mandelbrot=size=160x120:rate=25,fade=t=out:st=4:d=4"]
                + ["-frames:v", "200", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-qp", "8", "-g", "25"])
    }

    func export(
        _ pace: Timelapse.Pace = .speed(10), _ change: (inout TimelapseLook) -> Void
    ) async throws -> ExportResult {
        var timelapse = Timelapse(ofVideo: FilePath(scene), pace)
        (timelapse.rate, timelapse.isExact) = (Fraction(25), true)
        change(&timelapse.look)
        var settings = ExportSettings(preset: "h264")
        settings.rateControl = .quality(98)
        return try await ExportSession(timelapse, settings: settings, center: nil)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
    }

    func filtered(_ filter: String, to name: String, _ options: [String] = ["-c:v", "ffv1"]) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", scene, "-vf", filter, "-fps_mode", "passthrough"] + options
                + [folder.file(name)])
    }

    /// Red, green and blue of all pixels.
    func pixels(_ name: String) async throws -> [UInt8] {
        Array(
            try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", folder.file(name), "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
            ).output)
    }

    @Test(arguments: [(360.0, 10), (180, 5), (36, 1)]) func `an open shutter sees the mean of its frames`(
        degrees: Double, count: Int
    ) async throws {
        let result = try await export { $0.blend = .shutter(degrees: degrees) }
        #expect(result.frames == 20)
        // ffmpeg's mean ends with a frame; ours begins with it.
        try await filtered(
            "tmix=frames=\(count),select='eq(mod(n,10),\(count - 1))',setpts=N/25/TB", to: "wanted.mkv")
        let likeness = try await FFmpeg.psnr(of: folder.file("out.mp4"), reference: folder.file("wanted.mkv"))
        #expect(likeness > 42)
        // Without a shutter it is another movie, or the first frames of each moment.
        guard count > 1 else { return }
        try await filtered("select='eq(mod(n,10),0)',setpts=N/25/TB", to: "sharp.mkv")
        #expect(try await FFmpeg.psnr(of: folder.file("out.mp4"), reference: folder.file("sharp.mkv")) < likeness - 6)
    }

    @Test func `a keogram has a column of each frame, and trails what was brightest`() async throws {
        let result = try await export {
            $0.keogram = MovieDestination(FilePath(folder.file("day.png")))
            $0.trails = MovieDestination(FilePath(folder.file("stars.png")))
        }
        #expect(result.notes.contains("The keogram is \(folder.file("day.png"))."), "\(result.notes)")
        try await filtered(
            "select='eq(mod(n,10),0)',format=rgb24,crop=1:120:80:0,tile=20x1", to: "columns.png", ["-frames:v", "1"])
        let (keogram, columns) = (try await pixels("day.png"), try await pixels("columns.png"))
        #expect(keogram.count == 20 * 120 * 3 && columns.count == keogram.count)
        // ffmpeg interpolates chroma.
        let off = zip(keogram, columns).map { abs(Int($0) - Int($1)) }
        #expect(off.reduce(0, +) < 6 * off.count)
        try await filtered(
            "select='eq(mod(n,10),0)',format=gray", to: "gray.raw", ["-f", "rawvideo"])
        let (trails, frames) = (
            try await pixels("stars.png"), Array(try Data(contentsOf: URL(filePath: folder.file("gray.raw"))))
        )
        let size = 160 * 120
        #expect(trails.count == size * 3 && frames.count == 20 * size)
        let dark = (0..<20).filter { frame in
            let luma = frames[frame * size..<(frame + 1) * size].reduce(0) { $0 + Int($1) }
            return Double(luma) / Double(size * 255) <= 0.35
        }
        #expect(result.notes.contains { $0.contains("of \(dark.count) of 20 frames") }, "\(result.notes) \(dark.count)")
        var difference = 0.0
        for pixel in 0..<size {
            let brightest = dark.map { Int(frames[$0 * size + pixel]) }.max() ?? 0
            let rgb = trails[pixel * 3..<pixel * 3 + 3].map(Double.init)
            // By the weights of BT.601, by which so small a frame is coded.
            difference += abs(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] - Double(brightest))
        }
        #expect(difference / Double(size) < 3)
    }

    @Test func `a pan begins and ends where it is to, and moves between`() async throws {
        let (begin, end) = (
            try #require(FrameArea(x: 0, y: 0, width: 0.5, height: 0.5)),
            try #require(FrameArea(x: 0.25, y: 0.4, width: 0.6, height: 0.6))
        )
        _ = try await export { $0.pan = .init(from: begin, to: end) }
        for (name, area, frame) in [("first", "80:60:0:0", 0), ("last", "96:72:40:48", 190)] {
            try await filtered(
                "select='eq(n,\(frame))',crop=\(area),scale=160:120:flags=bilinear", to: "\(name).png",
                ["-frames:v", "1"])
        }
        let out = folder.file("out.mp4")
        for (name, number) in [("first", 0), ("last", 19)] {
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", out, "-vf", "select='eq(n,\(number))'", "-frames:v", "1"]
                    + [folder.file("\(name)-ours.png")])
            let likeness = try await FFmpeg.psnr(
                of: folder.file("\(name)-ours.png"), reference: folder.file("\(name).png"))
            #expect(likeness > 30, "\(name)")
        }
        let pan = PanFilter(.init(from: begin, to: end), frameCount: 101)
        #expect(pan.area(of: 0) == begin && pan.area(of: 50).x == 0.125)
        #expect(abs(pan.area(of: 100).y - 0.4) < 1e-9)
        // Slowly from its beginning on.
        #expect(pan.area(of: 1).x < 0.00025)
    }

    @Test(.requires(tool: "tesseract", package: "tesseract-ocr"))
    func `the time at which each frame was taken is drawn into it`() async throws {
        let source = folder.file("gray.mov")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=gray:size=1280x720:rate=1", "-t", "200"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "1"]
                + ["-metadata", "creation_time=2026-06-21T23:58:30Z", source])
        var timelapse = Timelapse(ofVideo: FilePath(source), .speed(60))
        (timelapse.rate, timelapse.look.stamp) = (Fraction(1), "%F %R")
        _ = try await ExportSession(timelapse, settings: ExportSettings(preset: "h264"), center: nil)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        for (number, words) in [(0, "2026-06-21 23:58"), (2, "2026-06-22 00:00")] {
            #expect(try await FrameText.figures(inFrame: number, of: folder.file("out.mp4"), by: folder) == words)
        }
        // What Pango would take for markup is a letter as others are.
        let renderer = try TextRenderer()
        await renderer.open()
        let stamps = ["<b>", "b", "&"].map { renderer.stamp($0, letters: 20) }
        #expect(stamps.allSatisfy { $0?.isCut == false } && Set(stamps.map { $0?.stamp.width }).count == 3)
        // A frame that stands upright has the letters of one that lies.
        var painter = StampPainter("%F %T %Z", renderer)
        let moment = StampMoment(local: 0, secondsFromGMT: 19_800)
        #expect(painter.stamp(moment, in: VideoSize(720, 1280)) != nil && !painter.isCut)
        #expect(painter.stamp(moment, in: VideoSize(100, 1280)) != nil && painter.isCut)
        await renderer.stop()
        // No date, no stamp, and a sentence.
        await #expect(throws: RushesError.self) { _ = try await export { $0.stamp = "%F" } }
    }

    @Test func `a stamp tells the zone in which the time was told, and no other`() throws {
        // 2026-11-26 14:00 UTC.
        let begin = MovieDate(Date(timeIntervalSince1970: 1_795_701_600), secondsFromGMT: -5 * 3600)
        let moment = StampMoment(begin, after: 61.5)
        #expect(moment.text("%F %T %Z %z %s") == "2026-11-26 09:01:01 UTC-05:00 -0500 1795701661")
        #expect(moment.text("%%s %%%s %-d %Ez") == "%s %1795701661 26 -0500")
        let other = StampMoment(MovieDate(Date(timeIntervalSince1970: 0), secondsFromGMT: 19_800))
        #expect(other.text("%R %Z %z") == "05:30 UTC+05:30 +0530")
        let utc = StampMoment(MovieDate(Date(timeIntervalSince1970: 0)))
        #expect(utc.text("%R %Z %z%") == "00:00 UTC +0000%")
        #expect(StampMoment.needsZone("%T %-z") && !StampMoment.needsZone("%%z %F %R s"))
    }

    @Test func `a timelapse does not say when its frames were taken, so it gets no stamp`() async throws {
        let source = folder.file("dated.mov")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", scene, "-c", "copy", "-metadata", "creation_time=2026-06-21T23:58:30Z"]
                + [source])
        var input = source
        for (name, pace, isFalse) in [
            ("even.mov", 1.0, false), ("fast.mov", 5, true), ("fast.mkv", 5, true), ("even.mp4", 1, true),
        ] {
            var timelapse = Timelapse(ofVideo: FilePath(input), .speed(pace))
            (timelapse.rate, timelapse.light.deflickers) = (Fraction(25), pace == 1)
            _ = try await ExportSession(timelapse, settings: ExportSettings(preset: "h264"), center: nil)
                .export(to: MovieDestination(FilePath(folder.file(name))))
            var stamped = Timelapse(ofVideo: FilePath(folder.file(name)), .speed(2))
            stamped.look.stamp = "%S"
            let session = try ExportSession(stamped, settings: ExportSettings(preset: "h264"), center: nil)
            let out = MovieDestination(FilePath(folder.file("stamped-\(name)")))
            if isFalse {
                let error = await #expect(throws: RushesError.self, "\(name)") { _ = try await session.export(to: out) }
                #expect(error?.code == .invalidSettings && error?.description.contains("is a timelapse") == true)
            } else {
                _ = try await session.export(to: out)
            }
            // Of what was shot so fast the light is evened out frame for frame, and it stays a timelapse.
            if name == "fast.mkv" { input = folder.file(name) }
        }
    }

    @Test func `images that are one file are refused, and none takes the place of another`() async throws {
        let name = try #require(FilePath(folder.path).lastComponent?.string)
        for other in ["./day.png", "../\(name)/day.png"] {
            let error = await #expect(throws: RushesError.self) {
                _ = try await export {
                    $0.keogram = MovieDestination(FilePath(folder.file("day.png")))
                    $0.trails = MovieDestination(FilePath(folder.path + "/" + other))
                }
            }
            #expect(error?.code == .invalidSettings && error?.description.contains("same file") == true)
        }
        // A name that is taken while the movie is made.
        let images = TimelapseImages(
            {
                var look = TimelapseLook()
                look.keogram = MovieDestination(FilePath(folder.file("taken.png")))
                return look
            }())
        images.begin()
        let caps = try Caps("video/x-raw,format=I420,width=16,height=16,framerate=25/1,colorimetry=bt709")
        let format = try #require(ComposedFormat(caps))
        let bytes = [UInt8](repeating: 128, count: format.layout.byteCount)
        let buffer = bytes.withUnsafeBytes { Buffer(copying: $0, presentationTime: .zero, duration: nil) }
        images.add(TimelapseFrame(sample: Sample(buffer, caps), buffer: buffer, format: format))
        try Data("mine".utf8).write(to: URL(filePath: folder.file("taken.png")))
        let notes = images.write()
        #expect(notes.first?.contains("could not be written") == true, "\(notes)")
        #expect(try Data(contentsOf: URL(filePath: folder.file("taken.png"))) == Data("mine".utf8))
        try FileManager.default.removeItem(atPath: folder.file("taken.png"))
        #expect(images.write() == ["The keogram is \(folder.file("taken.png"))."])
        #expect(try await pixels("taken.png").count == 16 * 3)
    }

    /// Too wide, empty, and more than a line.
    static let stamps = [
        String(repeating: "%F %R ", count: 20), String(repeating: "%n", count: 3), String(repeating: "x", count: 5000),
    ]

    @Test(arguments: stamps) func `a stamp that nobody could read is refused before anything is made`(stamp: String)
        async throws
    {
        let source = try await portrait("portrait.mov")
        var timelapse = Timelapse(ofVideo: source, .speed(10))
        timelapse.look.stamp = stamp
        let error = await #expect(throws: RushesError.self) {
            try await ExportSession(timelapse, settings: ExportSettings(preset: "h264"), center: nil)
                .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        }
        #expect(error?.code == .invalidSettings, "\(error as Any)")
        #expect(!folder.contents.contains("out.mp4"))
    }

    @Test func `an image that is there is not overwritten, nor is an input`() async throws {
        let image = folder.file("day.png")
        try Data("mine".utf8).write(to: URL(filePath: image))
        await #expect(throws: RushesError.self) {
            _ = try await export { $0.keogram = MovieDestination(FilePath(image)) }
        }
        await #expect(throws: RushesError.self) {
            _ = try await export { $0.trails = MovieDestination(FilePath(scene), replacesExisting: true) }
        }
        #expect(try Data(contentsOf: URL(filePath: image)) == Data("mine".utf8))
        #expect(folder.contents.sorted() == ["day.png", "scene.mkv"])
    }
}
