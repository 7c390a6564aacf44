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

@testable import Capture

/// Recordings of several cameras, each of one colour; what stands where is read from the frames that ffmpeg decodes.
@Suite(.timeLimit(.minutes(10))) struct CompositionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    enum Colour: String { case red, green, blue, black }

    func camera(_ colour: Colour, _ width: Int, _ height: Int, rate: Int, then end: String = "") -> VideoSource {
        .launchLine(
            "videotestsrc is-live=true pattern=\(colour.rawValue) ! video/x-raw,format=I420,width=\(width),height=\(height),"
                + "framerate=\(rate)/1" + end)
    }

    func session(_ cameras: [VideoSource]) async throws -> CaptureSession {
        let session = CaptureSession()
        let plans = try cameras.map { try VideoSourcePlan($0) }
        try await session.configure {
            $0.cameras = plans
            $0.microphone = try AudioSourcePlan(.test(TestTone()), channels: 2)
        }
        try await session.start()
        return session
    }

    func record(
        _ session: CaptureSession, _ layout: Layout = Layout(.corner(.bottomRight)), seconds: Double? = nil,
        eachCamera: MovieSettings? = nil
    ) async throws -> Recording {
        let output = try await TestTake.output(of: session)
        await output.setLayout(layout)
        return try await output.startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits(seconds: seconds),
            eachCamera: eachCamera)
    }

    /// What stands at a point of a frame.
    func colour(_ x: Int, _ y: Int, ofFrame number: Int) async throws -> Colour? {
        try await colours(x, y, of: "select=eq(n\\,\(number)),", ["-frames:v", "1"]).first ?? nil
    }

    /// The same of each frame that a filter leaves, of all without one.
    func colours(_ x: Int, _ y: Int, of filter: String = "", _ limit: [String] = []) async throws -> [Colour?] {
        let pixels = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", folder.file("take.mov"), "-vf",
                "\(filter)format=rgb24,crop=4:4:\(x):\(y),scale=1:1", "-fps_mode", "passthrough", "-enc_time_base",
                "-1",
            ] + limit + ["-f", "rawvideo", "-"]
        ).output
        return stride(from: 0, to: pixels.count - 2, by: 3).map { begin in
            switch pixels[begin..<begin + 3].map({ $0 > 100 }) {
            case [true, false, false]: .red
            case [false, true, false]: .green
            case [false, false, true]: .blue
            case [false, false, false]: .black
            default: nil
            }
        }
    }

    @Test func `two cameras of other sizes and rates stand where the layout says, on the main one's rhythm`()
        async throws
    {
        let session = try await session([camera(.red, 640, 360, rate: 30), camera(.blue, 320, 240, rate: 24)])
        let recording = try await record(session, Layout("top-right,size=50%,margin=0"), seconds: 2)
        let result = await recording.result
        await session.stop()
        #expect(result.isPlayable && result.reason == .maximumDurationReached && result.losses.isEmpty, "\(result)")
        let file = folder.file("take.mov")
        try await FFmpeg.decode(file)
        let times = try await FFProbe.frames("v:0", of: file).compactMap(\.ptsTime?.value)
        // A busy machine's encoder may drop some, which it tells.
        let (frames, dropped) = (result.progress.frames, result.progress.droppedFrames)
        #expect(times.count == frames && frames <= 60 && frames + dropped >= 60, "\(result)")
        #expect(TestTake.missingFrames(in: times).map { $0 <= dropped } == true, "\(times)")
        for frame in [0, frames - 1] {
            // Of 4:3 in a place of 320×180 it is 240 wide.
            #expect(try await colour(420, 20, ofFrame: frame) == .blue)
            #expect(try await colour(380, 20, ofFrame: frame) == .red)
            #expect(try await colour(420, 200, ofFrame: frame) == .red)
        }
    }

    @Test func `a swap and another layout hold from the next frame on, and drop none`() async throws {
        let session = try await session([
            camera(.red, 640, 360, rate: 30), camera(.blue, 640, 360, rate: 30), camera(.green, 320, 180, rate: 15),
        ])
        let recording = try await record(session, Layout(.corner(.bottomRight)))
        await recording.reaches(seconds: 0.5)
        recording.swapCameras(over: .zero)
        recording.mark()
        let mark = await recording.first { if case .marked(let chapter) = $0 { chapter } else { nil } }
        await recording.reaches(seconds: 1.5)
        try recording.setLayout(Layout(.grid), over: .milliseconds(100))
        #expect(throws: RushesError.self) { try recording.setLayout(Layout("x=90%,y=0,width=50%")) }
        await recording.reaches(seconds: 2.5)
        let result = await recording.stop()
        await session.stop()
        // A busy machine's encoder may drop a few.
        #expect(result.isPlayable && result.progress.droppedFrames < 10, "\(result)")
        #expect(try await colour(20, 20, ofFrame: 2) == .red)
        // The second inset stands above the first one.
        #expect(try await colour(600, 330, ofFrame: 2) == .blue)
        #expect(try await colour(600, 220, ofFrame: 2) == .green)
        let swapped = try Int(#require(mark).start.seconds * 30) + 3
        #expect(try await colour(20, 20, ofFrame: swapped) == .blue)
        #expect(try await colour(600, 330, ofFrame: swapped) == .red)
        let last = result.progress.frames - 1
        #expect(try await colour(100, 60, ofFrame: last) == .blue)
        #expect(try await colour(500, 60, ofFrame: last) == .red)
        #expect(try await colour(320, 300, ofFrame: last) == .green)
    }

    @Test func `each camera has a movie of its own with the same audio, as long, and all go through a pause`()
        async throws
    {
        let session = try await session([camera(.red, 640, 360, rate: 30), camera(.blue, 320, 240, rate: 24)])
        let recording = try await record(session, seconds: 3, eachCamera: TestTake.settings)
        await recording.reaches(seconds: 1)
        recording.pause()
        _ = await recording.first { if case .paused = $0 { true } else { nil } }
        // Two looks are half a second apart.
        for _ in 0..<2 { _ = await recording.first { if case .progress = $0 { true } else { nil } } }
        recording.resume()
        let result = await recording.result
        await session.stop()
        #expect(result.isPlayable && result.reason == .maximumDurationReached, "\(result)")
        #expect(result.cameraMovies.count == 2)
        var (audio, dates, codes): (Set<String>, Set<String?>, [Double]) = ([], [], [])
        for path in [folder.file("take.mov")] + result.cameraMovies.compactMap({ $0.path?.string }) {
            try await FFmpeg.decode(path)
            let times = try await FFProbe.frames("v:0", of: path).compactMap(\.ptsTime?.value)
            #expect(times.first == 0, "\(path)")
            // The last frame ends with the recording.
            let last = try #require(times.last)
            #expect(last < 3 && last > 3 - 1.5 / 24 - 0.001, "\(path): \(last)")
            let packets = try await Tool.succeed(
                "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "md5", "-"])
            audio.insert(packets.text)
            dates.insert(try MovieInfo(contentsOf: FilePath(path)).creationDate)
            codes.append(try await FFProbe.secondsOfTimeCode(path))
        }
        #expect(audio.count == 1 && dates.count == 1)
        // Of 30, 30 and 24 frames a second, each the one that is under way at the same instant.
        #expect(codes[0] == codes[1] && abs(codes[2] - codes[0]) < 1.0 / 24, "\(codes)")
        // A busy machine's encoder may drop some, which it tells. Of the second camera three seconds hold 72; each of the two spans
        // begins with the frame that is under way, and as they end where frames of the first camera meet, one more may fit.
        let counts = result.cameraMovies.map { $0.frames + $0.droppedFrames }
        #expect(counts[0] == 90 && (71...75).contains(counts[1]), "\(result.cameraMovies)")
        #expect(result.progress.droppedFrames < 20, "\(result)")
    }

    @Test func `one camera alone is shown, and all stand again as they did`() async throws {
        let session = try await session([camera(.red, 640, 360, rate: 30), camera(.blue, 640, 360, rate: 30)])
        let recording = try await record(session, Layout("top-left,size=50%,margin=0"))
        var marks: [Double] = []
        for shown in [ShownCameras.inset, .main, .all] {
            await recording.reaches(seconds: (marks.last ?? 0) + 0.5)
            recording.show(shown, over: .zero)
            recording.mark()
            let mark = await recording.first { if case .marked(let chapter) = $0 { chapter } else { nil } }
            marks.append(try #require(mark).start.seconds)
        }
        await recording.reaches(seconds: (marks.last ?? 0) + 0.5)
        let result = await recording.stop()
        await session.stop()
        // A busy machine's encoder may drop a few.
        #expect(result.isPlayable && result.progress.droppedFrames < 6, "\(result)")
        let places = [0] + marks.map { Int($0 * 30) + 3 }
        let expected: [(Colour, Colour)] = [(.blue, .red), (.blue, .blue), (.red, .red), (.blue, .red)]
        for (frame, (inset, main)) in zip(places, expected) {
            #expect(try await colour(40, 40, ofFrame: frame) == inset, "frame \(frame)")
            #expect(try await colour(600, 300, ofFrame: frame) == main, "frame \(frame)")
        }
    }

    @Test func `cameras that cannot be in one movie are refused in a sentence`() async throws {
        let session = CaptureSession()
        let test = try VideoSourcePlan(.test(TestPattern()))
        await #expect(throws: RushesError.self) {
            try await session.configure { $0.cameras = Array(repeating: test, count: 5) }
        }
        var device = test
        device.device = "camera-1"
        let twice = [device, device]
        let error = await #expect(throws: RushesError.self) { try await session.configure { $0.cameras = twice } }
        #expect(error?.description.contains("chosen twice") == true)
        #expect(await session.configuration.cameras.isEmpty)
    }

    @Test func `a layout that does not fit is refused before a file is created`() async throws {
        let session = try await session([camera(.red, 640, 360, rate: 30), camera(.blue, 640, 360, rate: 30)])
        await #expect(throws: RushesError.self) { try await record(session, Layout("x=90%,y=0,width=50%")) }
        await session.stop()
        #expect(!FileManager.default.fileExists(atPath: folder.file("take.mov")))
    }
}
