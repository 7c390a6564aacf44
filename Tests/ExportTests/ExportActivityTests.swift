import Encoding
import Errors
import Foundation
import LiveActivity
import MediaTypes
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// An export as those see it who watch.
@Suite(.timeLimit(.minutes(10))) struct ExportActivityTests {
    private func movie(seconds: Double = 2) async throws -> MadeMovie {
        try await MadeMovie("take.mov", "-c:v libx264 -preset ultrafast -g 25 -c:a aac", seconds: seconds)
    }

    private func session(
        _ movie: MadeMovie, in center: ActivityCenter?, onActivity: @escaping @Sendable (Activity) -> Void = { _ in }
    ) -> ExportSession {
        ExportSession(
            input: FilePath(movie.path), settings: MadeMovie.settings(), center: center, onActivity: onActivity)
    }

    private func destination(_ movie: MadeMovie) -> MovieDestination {
        MovieDestination(FilePath(movie.folder.file("small.mp4")))
    }

    @Test func `an export is an activity from its start to its end`() async throws {
        let movie = try await movie()
        let center = ActivityCenter()
        let session = session(movie, in: center)
        #expect(session.activity == nil)
        let result = try await session.export(to: destination(movie))
        let activity = try #require(session.activity)
        var events: [ActivityEvent] = []
        for await event in activity.events { events.append(event) }
        #expect(events.first?.event == .start && events.last?.event == .end)
        #expect(activity.kind == .transcode && activity.attributes.title == "small.mp4")
        #expect(activity.attributes.inputs == [movie.path])
        let end = activity.content.state
        #expect(end.phase == .finished && end.fraction == 1 && end.fileIsGood == true)
        #expect(end.output == movie.folder.file("small.mp4") && end.thumbnail == nil)
        #expect(end.bytesWritten == result.size && end.framesWritten == 50)
        #expect(end.message == result.notes.joined(separator: " "))
        #expect(center.activities.map(\.id) == [activity.id])
    }

    /// What opens the input tells that it waits, what looks at the state tells the same: at one time, on a busy machine.
    @Test func `whoever shows it first, it is one activity`() async throws {
        for _ in 0..<100 {
            let center = ActivityCenter()
            let starts = Locked(0)
            let shown = ExportActivity(
                of: MovieOrigin(path: "/take.mov"), to: MovieDestination("/small.mp4"), output: "/small.mp4",
                in: center,
                control: { _ in }, onStart: { _ in starts.withLock { $0 += 1 } })
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { shown.show(.waiting, isPaused: false) } }
            }
            #expect(center.activities.count == 1 && starts.withLock { $0 } == 1)
            shown.end(.failure(CancellationError()), ExportProgress())
            #expect(shown.activity?.content.state.phase == .cancelled)
        }
    }

    @Test func `a copy is as long as it is, and has an upright frame of it`() async throws {
        let movie = try await movie(seconds: 9)
        let turned = movie.folder.file("turned.mov")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-c", "copy", "-metadata:s:v", "rotate=90", turned])
        for (preset, name) in [("copy", "copy.mp4"), ("h264", "small.mov")] {
            let thumbnail = movie.folder.file("\(preset).jpg")
            var settings = ExportSettings(preset: preset)
            settings.reencodes = preset != "copy"
            let session = ExportSession(
                input: FilePath(turned), settings: settings, thumbnail: FilePath(thumbnail), center: ActivityCenter())
            _ = try await session.export(to: MovieDestination(FilePath(movie.folder.file(name))))
            let end = try #require(session.activity).content.state
            #expect(abs((end.mediaTime ?? 0) - 9) < 0.1, "\(end)")
            // A copy that takes no time needs none.
            if preset == "copy" {
                #expect(
                    await ImageGenerator.writeThumbnail(
                        of: FilePath(movie.folder.file(name)), to: FilePath(thumbnail), within: .seconds(60)))
            } else {
                #expect(end.thumbnail == thumbnail)
            }
            let stream = try await FFProbe.inspect(thumbnail).streams.first
            #expect((stream?.height ?? 0) > stream?.width ?? 1, "\(preset)")
        }
    }

    /// Its decoder begins with the key frame before, which is black.
    @Test func `the frame of a part is one of the part`() async throws {
        let folder = try TemporaryFolder()
        let (input, thumbnail) = (folder.file("in.mp4"), folder.file("frame.jpg"))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=black:s=64x64:r=25:d=3"]
                + ["-f", "lavfi", "-i", "color=white:s=64x64:r=25:d=1", "-filter_complex", "[0][1]concat"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "999", "-sc_threshold", "0", input])
        var settings = ExportSettings(preset: "h264")
        settings.range = TimeRange(start: 3200 * .millisecond)
        let session = ExportSession(
            input: FilePath(input), settings: settings, thumbnail: FilePath(thumbnail), center: ActivityCenter())
        _ = try await session.export(to: MovieDestination(FilePath(folder.file("part.mp4"))))
        let lines = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", thumbnail, "-vf"]
                + ["signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-", "-f", "null", "-"]
        ).text
        let luma = lines.split(separator: "=").last.flatMap {
            Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        #expect((luma ?? 0) > 200, "\(lines)")
    }

    @Test func `whoever watches cancels it, and nothing is left`() async throws {
        let movie = try await movie(seconds: 4)
        let session = session(movie, in: ActivityCenter()) { activity in
            #expect(activity.controls == [.cancel, .pause, .resume])
            try? activity.control(.cancel)
        }
        await #expect(throws: CancellationError.self) { try await session.export(to: destination(movie)) }
        let end = try #require(session.activity).content.state
        #expect(end.phase == .cancelled && end.reason == "cancelled")
        #expect(movie.folder.contents == ["take.mov"])
    }

    @Test func `whoever watches pauses and resumes it`() async throws {
        let movie = try await movie(seconds: 4)
        let (activities, started) = AsyncStream.makeStream(of: Activity.self)
        // It is paused before it reads anything, so it stays that until it is told to continue.
        let session = session(movie, in: ActivityCenter()) { activity in
            try? activity.control(.pause)
            started.yield(activity)
        }
        let work = Task { try await session.export(to: destination(movie)) }
        let paused = try #require(await activities.first { _ in true })
        for await content in paused.contentUpdates where content.state.phase == .paused { break }
        #expect(session.isPaused)
        try paused.control(.resume)
        #expect(try await work.value.frames == 100)
        #expect(paused.content.state.phase == .finished)
    }

    @Test func `cancelled before it begins, it begins nothing`() async throws {
        let movie = try await movie()
        let session = session(movie, in: ActivityCenter())
        session.cancel()
        await #expect(throws: CancellationError.self) { try await session.export(to: destination(movie)) }
        #expect(movie.folder.contents == ["take.mov"])
    }

    @Test func `a request that is rejected, and a session that is part of something, are none`() async throws {
        let movie = try await movie()
        let center = ActivityCenter()
        let rejected = session(movie, in: center)
        await #expect(throws: RushesError.self) {
            try await rejected.export(to: MovieDestination(FilePath(movie.path)))
        }
        let part = ExportSession(input: FilePath(movie.path), settings: MadeMovie.settings(), isActivity: false)
        _ = try await part.export(to: destination(movie))
        #expect(rejected.activity == nil && part.activity == nil && center.activities.isEmpty)
    }

    @Test func `an export that fails says why`() async throws {
        let movie = try await movie()
        let session = session(movie, in: ActivityCenter()) { _ in
            // The name is taken while it encodes.
            try? Data("mine".utf8).write(to: URL(filePath: movie.folder.file("small.mp4")))
        }
        let failure = await #expect(throws: RushesError.self) { try await session.export(to: destination(movie)) }
        let end = try #require(session.activity).content.state
        #expect(end.phase == .failed && end.fileIsGood == false && end.reason == failure?.description)
    }
}
