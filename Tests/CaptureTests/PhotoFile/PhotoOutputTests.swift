import Errors
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// Photos of a running session, judged by exiftool and ffmpeg, with frames that carry their numbers.
@Suite(
    .timeLimit(.minutes(10)), .requires(tool: "exiftool", package: "libimage-exiftool-perl"),
    .requires(tool: "ffmpeg", package: "ffmpeg"))
struct PhotoOutputTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func path(_ name: String) -> FilePath { FilePath(folder.file(name)) }

    func session(
        _ camera: VideoSource = .test(TestPattern(pattern: "ball"))
    ) async throws -> (CaptureSession, PhotoOutput) {
        let session = try await TestTake.session(camera: camera, microphone: nil)
        let output = PhotoOutput()
        try await session.addOutput(output)
        return (session, output)
    }

    /// Waits until a photo can be taken.
    func isReady(_ output: PhotoOutput) async {
        for await readiness in output.readiness where readiness == .ready { return }
    }

    func expect(
        _ code: RushesError.Code, _ words: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("nothing was refused", sourceLocation: sourceLocation)
        } catch let error as RushesError {
            #expect(error.code == code && "\(error)".contains(words), "\(error)", sourceLocation: sourceLocation)
        } catch { Issue.record(error, sourceLocation: sourceLocation) }
    }

    @Test(arguments: ["jpg", "png"])
    func `a photo is the frame of the instant of asking`(ending: String) async throws {
        let (session, output) = try await session(
            TestTake.camera(String(try NumberedFrames.camera(seconds: 20, in: folder).dropFirst(4))))
        await isReady(output)
        var delays: [Double] = []
        for number in 1...8 {
            let before = session.now
            let photo = try await output.capturePhoto(to: path("\(number).\(ending)"))
            // What the frames themselves say: the tenth of a second in which it was asked for.
            let seen = try await NumberedFrames.numbers(in: photo.path.string)
            let asked = (photo.time + photo.lag).seconds
            #expect(asked >= before.seconds && asked <= session.now.seconds)
            delays.append(asked - before.seconds)
            #expect(seen == [Int(asked * 10)], "asked at \(asked)")
            #expect(photo.lag >= .zero && photo.lag.seconds <= 0.1 && photo.size == VideoSize(128, 128))
            // At another place in the frame's time each time.
            try await Task.sleep(for: .milliseconds(37 * number))
        }
        await session.stop()
        // A busy machine may come to the asking late, but not every time.
        #expect((delays.min() ?? 1) < 0.05, "\(delays)")
    }

    @Test func `it tells when, where and by what it was taken`() async throws {
        let (session, output) = try await session()
        await isReady(output)
        var settings = PhotoSettings()
        settings.metadata.location = "-33.8568+151.2153+012.500/"
        (settings.metadata.make, settings.metadata.model) = ("Ricoh", "Caméra 3")
        settings.orientation = MovieOrientation(rotation: .quarter)
        for name in ["tags.jpg", "tags.png"] {
            let before = Date()
            let photo = try await output.capturePhoto(to: path(name), settings: settings)
            let after = Date()
            let tags = try await ExifTool.inspect(folder.file(name))
            #expect(tags["EXIF:Make"] == "Ricoh" && tags["EXIF:Model"] == "Caméra 3")
            #expect(tags["EXIF:Software"] == "Rushes" && tags.number("EXIF:Orientation") == 6)
            #expect(tags.number("Composite:GPSLatitude").map { abs($0 + 33.8568) < 1e-6 } == true)
            #expect(tags.number("Composite:GPSLongitude").map { abs($0 - 151.2153) < 1e-6 } == true)
            #expect(tags.number("Composite:GPSAltitude") == 12.5)
            #expect(tags["Warning"] == nil && tags["ExifTool:Warning"] == nil, "\(tags)")
            #expect(tags.number("ImageWidth") == 320 && tags.number("ImageHeight") == 180)
            // "2026:11:21 14:03:22.125+01:00", of the frame and not of the writing.
            let taken = try #require(tags["Composite:SubSecDateTimeOriginal"])
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = "yyyy:MM:dd HH:mm:ss.SSSxxx"
            let date = try #require(formatter.date(from: taken), "\(taken)")
            #expect(abs(date.timeIntervalSince(photo.date.date)) < 0.0011)
            #expect(date > before - 0.2 && date <= after, "\(taken), asked at \(before)")
            try await FFmpeg.decode(folder.file(name))
        }
        await session.stop()
    }

    @Test func `colors are those that JPEG has, whatever the camera's are`() async throws {
        for format in ["I420", "YUY2", "NV12"] {
            for colors in ["bt709", "bt601"] {
                let (session, output) = try await session(
                    TestTake.camera(
                        "videotestsrc is-live=true pattern=red ! video/x-raw,format=\(format),width=320,height=180,framerate=30/1,colorimetry=\(colors)"
                    ))
                await isReady(output)
                for ending in ["jpg", "png"] {
                    let name = "\(format) \(colors).\(ending)"
                    _ = try await output.capturePhoto(to: path(name))
                    let raw = try await Tool.succeed(
                        "ffmpeg",
                        [
                            "-nostdin", "-v", "error", "-i", folder.file(name), "-pix_fmt", "rgb24", "-f", "rawvideo",
                            "-",
                        ])
                    let pixel = [UInt8](raw.output).prefix(3).map { Int($0) }
                    #expect(pixel[0] >= 251 && pixel[1] <= 4 && pixel[2] <= 4, "\(name): \(pixel)")
                }
                await session.stop()
            }
        }
    }

    @Test func `a burst has each frame once, and holds up no recording`() async throws {
        let (session, output) = try await session(
            TestTake.camera(String(try NumberedFrames.camera(seconds: 30, rate: 30, in: folder).dropFirst(4))))
        let recording = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        await recording.reaches(seconds: 1)
        let photos = try await output.captureBurst(of: 20, to: path("burst.jpg"))
        let result = await recording.stop()
        await session.stop()
        #expect(photos.count == 20 && photos[0].path == path("burst.jpg") && photos[19].path == path("burst 20.jpg"))
        var seen: [Int] = []
        for photo in photos { seen += try await NumberedFrames.numbers(in: photo.path.string) }
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(seen)")
        let recorded = try await NumberedFrames.numbers(in: folder.file("take.mov"))
        #expect(zip(recorded, recorded.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(recorded)")
        #expect(result.progress.droppedFrames == 0 && Set(seen).isSubset(of: recorded))
    }

    /// A camera of still bars, which makes a JPEG of each frame.
    private static let bars = "video/x-raw,format=I420,width=640,height=360,framerate=30/1 ! jpegenc"

    @Test func `a camera's own JPEG is kept bit for bit`() async throws {
        let one = folder.file("one.jpg")
        _ = try await Tool.succeed(
            "gst-launch-1.0",
            "-q videotestsrc num-buffers=1 pattern=smpte75 ! \(Self.bars) ! filesink location=\(one)"
                .split(separator: " ").map(String.init))
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: one)))
        var plan = try VideoSourcePlan(
            .test(TestPattern(pattern: "ball")), FormatRequest(size: VideoSize(640, 360), rate: Fraction(30)))
        plan.nodes =
            [
                .launchLine("videotestsrc is-live=true pattern=smpte75 ! \(Self.bars)"),
                .caps(Caps("image/jpeg", [:])),
            ] + VideoDecoding.nodes(.mjpeg, "jpegdec")
        plan.decoder = "jpegdec"
        plan.format = CaptureFormat(
            encoding: .mjpeg, pixelFormat: nil, size: VideoSize(640, 360), rates: [Fraction(30)])
        let (session, output) = (CaptureSession(), PhotoOutput())
        let chosen = plan
        try await session.configure { $0.camera = chosen }
        try await session.addOutput(output)
        try await session.start()
        await isReady(output)
        for number in 1...5 {
            let photo = try await output.capturePhoto(to: path("\(number).jpg"))
            #expect(photo.isOriginal && photo.size == VideoSize(640, 360))
            let written = [UInt8](try Data(contentsOf: URL(filePath: photo.path.string)))
            #expect(Self.scans(written) == Self.scans(bytes) && Self.scans(bytes).count > 1000)
            try await FFmpeg.decode(photo.path.string)
        }
        _ = try await output.capturePhoto(to: path("photo.png"))
        await session.stop()
        #expect(try await ExifTool.inspect(folder.file("1.jpg"))["EXIF:DateTimeOriginal"] != nil)
        #expect(try await ExifTool.inspect(folder.file("photo.png")).number("ImageWidth") == 640)
    }

    @Test func `a JPEG without Huffman tables, as webcams send it, gets those that all have`() async throws {
        let whole = folder.file("whole.jpg")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360", "-frames:v", "1", "-q:v", "4",
                "-huffman", "default", whole,
            ])
        let bare = try #require(Self.withoutTables([UInt8](try Data(contentsOf: URL(filePath: whole)))))
        let exif = try #require(PhotoMarks(date: Date(), secondsFromGMT: 3600).exif())
        let tagged = try #require(JPEGSegments(bare)?.tagged(exif))
        #expect(Self.scans(tagged) == Self.scans(bare) && Self.withoutTables(tagged)?.count ?? 0 < tagged.count)
        let made = folder.file("made.jpg")
        try Data(tagged).write(to: URL(filePath: made))
        func pixels(_ file: String) async throws -> Data {
            try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-f", "rawvideo", "-"]).output
        }
        #expect(try await pixels(made) == pixels(whole))
        #expect(JPEGSegments(Array(bare.prefix(100))) == nil && JPEGSegments([]) == nil)
    }

    /// From the header of the scan to the end.
    private static func scans(_ jpeg: [UInt8]) -> [UInt8] {
        let begin = jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
        return Array(jpeg[(begin ?? jpeg.endIndex)...])
    }

    private static func withoutTables(_ jpeg: [UInt8]) -> [UInt8]? {
        var (place, kept) = (2, Array(jpeg.prefix(2)))
        while place + 3 < jpeg.count, jpeg[place] == 0xFF, jpeg[place + 1] != 0xDA {
            let end = place + 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
            guard end <= jpeg.count else { return nil }
            if jpeg[place + 1] != 0xC4 { kept += jpeg[place..<end] }
            place = end
        }
        return kept + jpeg[place...]
    }
}
