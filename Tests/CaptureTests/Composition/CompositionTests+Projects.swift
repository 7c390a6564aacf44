import EditProjects
import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// What editors take a recording of several cameras up with.
extension CompositionTests {
    @Test(.requires(tool: "melt", package: "melt"))
    func `the project beside cameras' movies begins each layout at the frame of the movie that shows it`() async throws
    {
        let session = try await session([camera(.red, 640, 360, rate: 30), camera(.blue, 640, 360, rate: 30)])
        let output = try await TestTake.output(of: session)
        await output.setLayout(try Layout("top-left,size=50%,margin=0"))
        let recording = try await output.startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits(),
            eachCamera: TestTake.settings)
        await recording.reaches(seconds: 0.7)
        recording.swapCameras(over: .zero)
        // What was told before the swap may come first.
        await recording.tellsProgress(times: 3)
        recording.pause()
        _ = await recording.first { if case .paused = $0 { true } else { nil } }
        try recording.setLayout(Layout(.mainOnly), over: .zero)
        recording.resume()
        _ = await recording.first { if case .resumed = $0 { true } else { nil } }
        await recording.tellsProgress(times: 3)
        recording.mark("End & done")
        let result = await recording.stop()
        await session.stop()
        #expect(result.projectFiles.map(\.string) == [folder.file("take.otio"), folder.file("take.mlt")], "\(result)")
        let cuts = try projectCuts()
        #expect(cuts.count == 3 && cuts.first == 0)
        // The inset, and what is behind it, around the two cuts.
        try #require(cuts.count == 3)
        let times = try await FFProbe.frames("v:0", of: folder.file("take.mov")).compactMap(\.ptsTime?.value)
        /// The one that is shown then: a busy machine's encoder may have dropped some before it.
        func shown(_ frame: Int) -> Int { times.lastIndex { $0 * 30 < Double(frame) + 0.5 } ?? 0 }
        #expect(try await colour(100, 100, ofFrame: shown(cuts[1] - 1)) == .blue)
        #expect(try await colour(100, 100, ofFrame: shown(cuts[1])) == .red)
        #expect(try await colour(600, 300, ofFrame: shown(cuts[1])) == .blue)
        #expect(try await colour(100, 100, ofFrame: shown(cuts[2] - 1)) == .red)
        #expect(try await colour(100, 100, ofFrame: shown(cuts[2])) == .blue)
        try await Melt.render(folder.file("take.mlt"), to: folder.file("edited.mkv"))
        #expect(try await FFmpeg.ssim(of: folder.file("edited.mkv"), reference: folder.file("take.mov")) > 0.98)
        // A project that is there already is not written over.
        for path in [result.path].compactMap(\.self) + result.cameraMovies.compactMap(\.path) {
            try FileManager.default.removeItem(atPath: path.string)
        }
        let error = await #expect(throws: RushesError.self) {
            try await session.start()
            _ = try await output.startRecording(
                to: TestTake.destination(folder), settings: TestTake.settings, eachCamera: TestTake.settings)
        }
        #expect(error?.code == .fileExists && error?.description.contains("take.otio") == true)
        await session.stop()
        #expect(folder.contents == ["edited.mkv", "take.mlt", "take.otio"])
    }

    @Test func `a project finds movies whose names are no text`() async throws {
        let session = try await session([camera(.red, 320, 180, rate: 30), camera(.blue, 320, 180, rate: 30)])
        let output = try await TestTake.output(of: session)
        // "é" as Latin-1 has it.
        let name = Array("caf".utf8) + [0xE9] + Array(".mov".utf8)
        let path = FilePath(folder.path).appending(fileBytes: name)
        let recording = try await output.startRecording(
            to: MovieDestination(path), settings: TestTake.settings, limits: TestTake.limits(seconds: 1),
            eachCamera: TestTake.settings)
        let told = Task {
            var words: [String] = []
            for await event in recording.events { if case .warning(let text) = event { words.append(text) } }
            return words
        }
        let result = await recording.result
        await session.stop()
        #expect(result.projectFiles.count == 1 && result.cameraMovies.count == 2)
        let project = try #require(result.projectFiles.first)
        let timeline = try ComposedTimeline(otio: AtomicFile.read(project))
        let files = timeline.cameras.map { FilePath(folder.path).appending(fileBytes: $0) }
        #expect(files == result.cameraMovies.compactMap(\.path))
        #expect(await told.value.contains { $0.contains(".mlt is left out") })
    }

    /// Its last packet of AAC ends behind the last frame.
    @Test func `a project of Matroska is as long as the frames, and keeps how players turn the movie`() async throws {
        let session = try await session([camera(.red, 320, 180, rate: 30), camera(.blue, 320, 180, rate: 30)])
        let output = try await TestTake.output(of: session)
        func record(_ name: String, _ settings: MovieSettings) async throws -> RecordingResult {
            let recording = try await output.startRecording(
                to: TestTake.destination(folder, name), settings: settings, limits: TestTake.limits(seconds: 2),
                eachCamera: TestTake.settings)
            return await recording.result
        }
        func timeline(_ result: RecordingResult) throws -> ComposedTimeline {
            try ComposedTimeline(otio: AtomicFile.read(#require(result.projectFiles.first)))
        }
        let matroska = try await record("take.mkv", TestTake.settings)
        // A busy machine's encoder may drop some, which it tells.
        let (frames, dropped) = (matroska.progress.frames, matroska.progress.droppedFrames)
        #expect(frames <= 60 && frames + dropped >= 60 && matroska.projectFiles.count == 2, "\(matroska)")
        #expect(try timeline(matroska).duration == 2 * .second)
        var settings = TestTake.settings
        settings.orientation = MovieOrientation(rotation: .quarter, isMirrored: true)
        let turned = try await record("turned.mov", settings)
        await session.stop()
        #expect(turned.projectFiles.map(\.string) == [folder.file("turned.otio")])
        #expect(try timeline(turned).orientation == settings.orientation)
    }

    /// The frames with which the composed movie's clips begin.
    private func projectCuts() throws -> [Int] {
        let data = try Data(contentsOf: URL(filePath: folder.file("take.otio")))
        var here = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        here = here?["tracks"] as? [String: Any]
        let composed = (here?["children"] as? [[String: Any]])?.last { $0["kind"] as? String == "Video" }
        let clips = composed?["children"] as? [[String: Any]] ?? []
        func start(_ range: Any?) -> Int? {
            let time = (range as? [String: Any])?["start_time"] as? [String: Any]
            return (time?["value"] as? Double).map { Int($0) }
        }
        return clips.compactMap { clip in
            // Both count by the movie's time code.
            let media = (clip["media_references"] as? [String: Any])?["DEFAULT_MEDIA"] as? [String: Any]
            guard let cut = start(clip["source_range"]), let begin = start(media?["available_range"]) else {
                return nil
            }
            return cut - begin
        }
    }
}
