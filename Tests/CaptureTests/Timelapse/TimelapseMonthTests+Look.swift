import Composition
import Encoding
import Foundation
import GStreamer
import LiveActivity
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// What is drawn into shots, and what grows of them, over several files.
extension TimelapseMonthTests {
    private func settings(
        _ folder: TemporaryFolder, every interval: MediaTime = interval, hasImages: Bool = true
    ) -> TimelapseSettings {
        var settings = TimelapseSettings(every: interval)
        settings.movie.videoCodec = .h264
        guard hasImages else { return settings }
        settings.keogram = MovieDestination(FilePath(folder.file("k.png")))
        settings.trails = MovieDestination(FilePath(folder.file("t.png")))
        return settings
    }

    @Test func `shots that the next file is given again are in the images once`() async throws {
        let folder = try TemporaryFolder()
        let clock = Clock()
        let settings = settings(folder)
        let look = try await ShotLook(settings, at: clock.now.wall)
        let (track, files) = try await begin(FilePath(folder.file("a.mov")), settings, clock, look: look)
        func shoot(_ shots: Range<Int>) {
            for shot in shots {
                track.receive(Self.sample(shot, at: clock.now.running))
                clock.advance(by: Self.interval)
                _ = track.clockJump()
            }
        }
        shoot(0..<4)
        let old = try #require(track.holdBack())
        let next = try await files.openNext()
        #expect(await files.completeNow(old, before: next, .init()) == 4)
        // As if the last two were not in it, which the encoder has had.
        track.change(to: next, repeatingFrom: 2)
        shoot(4..<6)
        let images = try #require(track.movie?.images)
        let result = await files.finish(track.change(to: nil), .stopped)
        #expect(result.isPlayable && result.parts.count == 1, "\(result)")
        #expect(try await Self.numbers(in: folder.file("a-002.mov")) == [2, 3, 4, 5])
        let notes = images.write()
        #expect(notes.contains { $0.hasPrefix("The trails of 6 of 6 frames") }, "\(notes)")
        let size = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "stream=width", "-of", "csv=p=0", folder.file("k.png")])
        #expect(size.text.trimmingCharacters(in: .whitespacesAndNewlines) == "6")
    }

    @Test func `a day whose image cannot be made has its movie all the same, and it is told`() async throws {
        let folder = try TemporaryFolder()
        // The files are named by the real clock's day at first.
        let clock = Clock()
        clock.set(by: MediaTime(Date()) - clock.now.wall)
        var settings = settings(folder)
        settings.isDaily = true
        let look = try await ShotLook(settings, at: clock.now.wall)
        let (track, files) = try await begin(FilePath(folder.file("a.mov")), settings, clock, look: look, until: true)
        track.receive(Self.sample(1, at: clock.now.running))
        let border = try #require(files.border)
        let taken = "k-\(ShootingDay(of: border).name).png"
        try Data().write(to: URL(filePath: folder.file(taken)))
        let events = Mailbox<TimelapseEvent>()
        let next = try #require(try await files.openDay(of: border, events))
        // The other one is.
        #expect(next.images?.write().count == 1)
        let old = try #require(track.change(to: next, until: files.border))
        files.complete(old, before: next, events)
        await next.writer.cancel()
        _ = await files.finish(track.change(to: nil), .stopped)
        events.finish()
        var warnings: [String] = []
        for await event in events.stream { if case .warning(let words) = event { warnings.append(words) } }
        #expect(warnings.count == 1 && warnings.first?.contains(taken) == true, "\(warnings)")
    }

    @Test func `a stamp that is too wide only later is told once`() async throws {
        let folder = try TemporaryFolder()
        let clock = Clock()
        // Eight digits at nine, sixteen at ten.
        let nine = try #require(
            Calendar.current.date(bySettingHour: 9, minute: 0, second: 0, of: Date(wall: clock.now.wall)))
        clock.set(by: MediaTime(nine) - clock.now.wall)
        let hour = 3600 * MediaTime.second
        var settings = settings(folder, every: hour, hasImages: false)
        settings.stamp = String(repeating: "%-H", count: 8)
        let look = try await ShotLook(settings, at: clock.now.wall)
        try look.check(Self.caps, at: clock.now.wall)
        let (track, files) = try await begin(FilePath(folder.file("a.mov")), settings, clock, look: look)
        track.receive(Self.sample(1, at: clock.now.running))
        let old = try #require(track.holdBack())
        let next = try await files.openNext()
        #expect(await files.completeNow(old, before: next, .init()) == 1)
        #expect(look.takeCutNote() == nil)
        track.change(to: next)
        clock.advance(by: hour)
        _ = track.clockJump()
        track.receive(Self.sample(2, at: clock.now.running))
        #expect(await files.finish(track.change(to: nil), .stopped).isPlayable)
        #expect(look.takeCutNote() == StampPainter.cutNote && look.takeCutNote() == nil)
        await look.close()
    }

    @Test func `an image that cannot be written says nothing of the movie`() throws {
        let folder = try TemporaryFolder()
        let images = ShotImages([.keogram: MovieDestination(FilePath(folder.file("away/k.png")))])
        images.add(Self.frame(1), try #require(ComposedFormat(Self.caps)), shot: 0)
        let notes = images.write()
        #expect(notes.count == 1 && notes.first?.contains("could not be written") == true, "\(notes)")
        #expect(notes.first?.contains("complete") == false, "\(notes)")
    }
}
