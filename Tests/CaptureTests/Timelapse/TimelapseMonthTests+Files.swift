import Encoding
import Errors
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Capture

/// What else ends a file, or keeps shots from it.
extension TimelapseMonthTests {
    /// Shots over three midnights, among them one that waits for its file.
    @Test func `each day has a movie of its own, and no shot is in the wrong one`() async throws {
        let folder = try TemporaryFolder()
        var settings = TimelapseSettings(every: Self.interval)
        settings.movie.videoCodec = .h264
        settings.isDaily = true
        // The files are named by the real clock's day at first.
        let clock = Clock()
        clock.set(by: MediaTime(Date()) - clock.now.wall)
        let (track, files) = try await begin(FilePath(folder.file("a.mov")), settings, clock, until: true)
        var days: [String: [Int]] = [:]
        let style = Date.ISO8601FormatStyle(dateSeparator: .dash, timeZone: .current).year().month().day()
        for shot in 0..<72 {
            track.receive(Self.sample(shot, at: clock.now.running))
            days[Date(wall: clock.now.wall).formatted(style), default: []].append(shot)
            files.note(shots: track.movie?.count ?? 0)
            if case .day(let wall) = track.wait {
                // Another one comes before the file is open.
                let next = try await files.openDay(of: wall, .init())
                let old = try #require(track.change(to: next, until: files.border))
                files.complete(old, before: next, .init())
            }
            clock.advance(by: Self.interval)
            _ = track.clockJump()
        }
        let result = await files.finish(track.change(to: nil), .stopped)
        #expect(result.isPlayable && result.parts.count == days.count - 1 && result.progress.frames == 72, "\(result)")
        #expect(days.count >= 3)
        for (day, shots) in days {
            #expect(try await Self.numbers(in: folder.file("a-\(day).mov")) == shots, "\(day)")
        }
    }

    @Test func `other settings go on in another file, and the shot that showed it is in that`() async throws {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.file("a.mov"))
        let clock = Clock()
        var settings = TimelapseSettings(every: Self.interval)
        settings.movie.videoCodec = .h264
        settings.resumes = true
        var (track, files) = try await begin(path, settings, clock)
        track.receive(Self.sample(1, at: clock.now.running))
        #expect(await files.finish(track.change(to: nil), .stopped).isPlayable)
        let before = try Data(contentsOf: URL(filePath: path.string))
        settings.movie.videoCodec = .hevc
        clock.advance(by: Self.interval)
        (track, files) = try await begin(path, settings, clock)
        track.receive(Self.sample(2, at: clock.now.running))
        let deadline = ContinuousClock.now + .seconds(60)
        while track.movie?.writer.failure == nil, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        let failure = try #require(track.movie?.writer.failure as? MovieFileError)
        guard case .unsupported = failure else {
            Issue.record("\(failure)")
            return
        }
        let old = track.change(to: try await files.openNext(), repeatingFrom: 0)
        await old?.writer.cancel()
        let result = await files.finish(track.change(to: nil), .stopped)
        #expect(result.isPlayable && result.path?.lastComponent == "a-002.mov", "\(result)")
        #expect(try Data(contentsOf: URL(filePath: path.string)) == before)
        #expect(try await Self.numbers(in: folder.file("a.mov")) == [1])
        #expect(try await Self.numbers(in: folder.file("a-002.mov")) == [2])
        // In the second part the duration still counts from the first, and the length counts its shots.
        let begin = clock.now.wall - Self.interval
        // Where neither is asked for the movies before are not read, and the grid is theirs all the same.
        let endless = try await TimelapseFiles(MovieDestination(path), settings)
        let anchor = try #require(endless.anchor(at: clock.now.wall, Self.interval))
        #expect((anchor - begin).nanoseconds % Self.interval.nanoseconds == 0 && endless.earlier.count == 0)
        settings.duration = Self.interval * 3 / 2
        let part = try await TimelapseFiles(MovieDestination(path), settings)
        #expect(part.anchor(at: clock.now.wall, Self.interval) == begin && part.earlier.count == 1)
        try part.check(settings, at: begin + 2 * Self.interval)
        #expect(throws: RushesError.self) { try part.check(settings, at: begin + 2 * Self.interval + .second) }
        (settings.duration, settings.maximumShots) = (nil, 2)
        #expect(throws: RushesError.self) { try part.check(settings, at: begin) }
    }

    @Test func `what a lost camera has missed is told with its first shot, once`() async throws {
        let folder = try TemporaryFolder()
        let clock = Clock()
        var settings = TimelapseSettings(every: .second)
        settings.movie.videoCodec = .h264
        let (track, files) = try await begin(FilePath(folder.file("a.mov")), settings, clock)
        func shoot() { track.receive(Self.sample(1, at: clock.now.running)) }
        shoot()
        clock.advance(by: 5 * .second)
        // The loss is seen late.
        _ = track.clockJump()
        track.beginGap()
        clock.advance(by: 3 * .second)
        _ = track.clockJump()
        // A try that failed in between is the same gap.
        track.beginGap()
        track.ready(at: clock.now.running + 2 * .second)
        clock.advance(by: 4 * .second)
        #expect(track.takeGap() == nil)
        shoot()
        #expect(track.takeGap() == 11 && track.takeGap() == nil)
        clock.advance(by: .second)
        shoot()
        #expect(track.takeGap() == nil && track.schedule.missed == 11)
        _ = await files.finish(track.change(to: nil), .stopped)
    }
}
