import Encoding
import Foundation
import Imaging
import MediaTypes
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Capture

extension CompositionTests {
    /// Records for a second, unplugs a camera, and goes on for so long after its loss was told.
    private func record(
        _ recording: Recording, unplugging camera: PluggedCamera, seconds: Double
    ) async throws -> (result: RecordingResult, warnings: [String]) {
        var (isPlugged, end, warnings): (Bool, Double, [String]) = (true, .infinity, [])
        for await event in recording.events {
            switch event {
            case .warning(let words): warnings.append(words)
            case .progress(let progress):
                let duration = progress.duration.seconds
                if isPlugged, duration >= 1 {
                    isPlugged = false
                    try await camera.unplug()
                } else if end == .infinity, warnings.contains(where: { $0.contains(" is lost (") }) {
                    end = duration + seconds
                } else if duration >= end {
                    await recording.stop()
                }
            default: break
            }
        }
        return (await recording.result, warnings)
    }

    @Test(arguments: [true, false])
    func `a camera that is lost is told and listed, and the movie goes on with the other`(isMain: Bool) async throws {
        let ending = try await PluggedCamera(Colour.red.rawValue, in: folder)
        let lasting = camera(.blue, 640, 360, rate: 30)
        let session = try await session(isMain ? [ending.source, lasting] : [lasting, ending.source])
        let recording = try await record(
            session, Layout("top-left,size=50%,margin=0"), seconds: 120, eachCamera: TestTake.settings)
        let (result, warnings) = try await record(recording, unplugging: ending, seconds: 3)
        await session.stop()
        #expect(result.isPlayable && result.reason == .stopped, "\(result)")
        #expect(warnings.count { $0.contains(" is lost (") } == 1, "\(warnings)")
        #expect(result.losses.map(\.kind) == [.camera] && result.losses.allSatisfy { $0.time.seconds >= 1 })
        try await FFmpeg.decode(folder.file("take.mov"))
        let last = result.progress.frames - 1
        // Of a lost main camera nothing is shown; of a lost inset the last frame, dimmed.
        #expect(try await colour(600, 300, ofFrame: last) == .blue)
        let inset = try await colour(100, 100, ofFrame: last)
        #expect(isMain ? inset == .blue : inset != .red)
        #expect(try await colour(100, 100, ofFrame: 5) == (isMain ? .blue : .red))
        #expect(try await colour(600, 300, ofFrame: 5) == (isMain ? .red : .blue))
        // Its own movie goes on with its last frame: it would hold up the others by the audio that they share.
        let seconds = result.progress.duration.seconds
        for movie in result.cameraMovies {
            let path = try #require(movie.path?.string)
            try await FFmpeg.decode(path)
            let end = try await FFProbe.inspect(path).video.first?.duration?.value ?? 0
            // A busy machine's encoder may drop the last few.
            let last = 0.05 + Double(min(movie.droppedFrames, 10)) / 30
            #expect(movie.problem == nil && abs(end - seconds) < last, "\(path): \(end), not \(seconds)")
        }
    }

    @Test(arguments: [true, false])
    func `what an inset's camera loses is told, and counts in its own movie and in all`(isSeparate: Bool) async throws {
        let losing = camera(.blue, 320, 240, rate: 30, then: " ! identity drop-probability=0.3")
        let session = try await session([camera(.red, 640, 360, rate: 30), losing])
        let recording = try await record(session, seconds: 4, eachCamera: isSeparate ? TestTake.settings : nil)
        var warnings: [String] = []
        for await event in recording.events { if case .warning(let words) = event { warnings.append(words) } }
        let result = await recording.result
        await session.stop()
        // A busy machine's encoder may drop a few.
        #expect(result.isPlayable && (111...120).contains(result.progress.frames), "\(result)")
        let lost = warnings.filter { $0.hasPrefix("Frames from ") }
        #expect(lost.count == 1, "\(warnings)")
        #expect((12...70).contains(result.progress.droppedFrames), "\(result)")
        guard isSeparate else { return }
        let movies = result.cameraMovies
        let own = movies[1].droppedFrames
        #expect(movies[0].droppedFrames < 10 && (own...own + 20).contains(result.progress.droppedFrames), "\(result)")
        #expect(abs(movies[1].frames + movies[1].droppedFrames - 120) <= 3, "\(movies)")
    }

    @Test func `each frame of a main camera whose thread stands still for a second at a time is shown or counted`()
        async throws
    {
        var (result, warnings) = try await recordingBesideThreadThatStandsStill()
        // On a busy machine the other camera may take so long for its frames that the main one counts as lost meanwhile.
        for _ in 0..<2 where !result.losses.isEmpty {
            try FileManager.default.removeItem(atPath: folder.file("take.mov"))
            (result, warnings) = try await recordingBesideThreadThatStandsStill()
        }
        #expect(result.losses.isEmpty, "\(result)")
        #expect(result.isPlayable && warnings.contains { $0.contains("came too late") }, "\(result), \(warnings)")
        let shown = try await colours(600, 300).count { $0 == .red }
        let dropped = result.progress.droppedFrames
        #expect(shown < result.progress.frames && abs(shown + dropped - 240) <= 3, "\(shown) of \(result)")
    }

    private func recordingBesideThreadThatStandsStill() async throws -> (RecordingResult, [String]) {
        let queue = " ! queue max-size-time=5000000000 max-size-buffers=0 max-size-bytes=0"
        let session = try await session([
            camera(.red, 640, 360, rate: 30, then: queue), camera(.blue, 320, 240, rate: 24),
        ])
        let (frames, others) = (Locked(0), DispatchSemaphore(value: 0))
        let cameras = try #require(await session.running?.video)
        _ = cameras[1].listen { _ in others.signal() }
        _ = cameras[0].listen { _ in
            let count = frames.withLock { frames in
                frames += 1
                return frames
            }
            guard count % 90 == 89 else { return }
            // Until the other camera has given frames of one and a third of a second.
            while others.wait(timeout: .now()) == .success {}
            for _ in 0..<32 where others.wait(timeout: .now() + 10) == .timedOut { break }
        }
        let recording = try await record(session, Layout("top-left,size=50%,margin=0"), seconds: 8)
        var warnings: [String] = []
        for await event in recording.events { if case .warning(let words) = event { warnings.append(words) } }
        let result = await recording.result
        await session.stop()
        return (result, warnings)
    }

    @Test func `after a swap the other camera takes the place of one that is lost`() async throws {
        let ending = try await PluggedCamera(Colour.red.rawValue, in: folder)
        let session = try await session([camera(.blue, 640, 360, rate: 30), ending.source])
        let recording = try await record(session, Layout(.corner(.bottomRight)), seconds: 120)
        recording.swapCameras(over: .zero)
        let (result, _) = try await record(recording, unplugging: ending, seconds: 2)
        await session.stop()
        #expect(result.isPlayable && result.losses.count == 1, "\(result)")
        let last = result.progress.frames - 1
        var isSwapped = false
        for frame in stride(from: 5, to: 30, by: 6) where try await colour(20, 20, ofFrame: frame) == .red {
            isSwapped = true
        }
        #expect(isSwapped)
        #expect(try await colour(20, 20, ofFrame: last) == .blue)
    }
}
