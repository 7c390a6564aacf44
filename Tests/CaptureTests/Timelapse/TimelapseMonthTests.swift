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

/// A month of shots with a clock that is told, an encoder and files as ever.
@Suite(.timeLimit(.minutes(10)), .serialized) struct TimelapseMonthTests {
    static let interval = 2 * 3600 * MediaTime.second
    static let days = 30

    /// What is told to the timelapse as the time.
    final class Clock: Sendable {
        let reading = Locked(ClockReading(wall: 1_790_000_000 * MediaTime.second, running: .zero))
        var now: ClockReading { reading.withLock { $0 } }
        func advance(by time: MediaTime) {
            reading.withLock { ($0.wall, $0.running) = ($0.wall + time, $0.running + time) }
        }
        func set(by time: MediaTime) { reading.withLock { $0.wall += time } }
    }

    /// The number of a slot in sixteen fields of a gray frame.
    static func frame(_ number: Int) -> Buffer {
        var bytes = [UInt8](repeating: 30, count: 64 * 64) + [UInt8](repeating: 128, count: 64 * 64 / 2)
        for field in 0..<16 where number >> field & 1 == 1 {
            for y in field / 4 * 16..<field / 4 * 16 + 16 {
                let start = y * 64 + field % 4 * 16
                bytes.replaceSubrange(start..<start + 16, with: repeatElement(220, count: 16))
            }
        }
        return bytes.withUnsafeBytes { Buffer(copying: $0, presentationTime: .zero, duration: nil) }
    }

    static func numbers(in path: String) async throws -> [Int] {
        let raw = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-pix_fmt", "gray", "-f", "rawvideo",
                "-",
            ])
        let bytes = [UInt8](raw.output)
        return (0..<bytes.count / 4096).map { frame in
            (0..<16).reduce(0) { number, bit in
                let place = frame * 4096 + (bit / 4 * 16 + 8) * 64 + bit % 4 * 16 + 8
                return number | (bytes[place] > 125 ? 1 << bit : 0)
            }
        }
    }

    static let caps = Caps(
        "video/x-raw",
        [
            "format": .string("I420"), "width": .int(64), "height": .int(64), "framerate": .fraction(Fraction(30)),
        ])

    static func sample(_ number: Int, at time: MediaTime) -> CaptureInput.TimedSample {
        .init(buffer: frame(number), caps: caps, time: time)
    }

    func begin(
        _ path: FilePath, _ settings: TimelapseSettings, _ clock: Clock, _ known: MoviePlanner.Planned? = nil,
        look: ShotLook = ShotLook(), until hasBorder: Bool = false
    ) async throws -> (track: TimelapseTrack, files: TimelapseFiles) {
        let files = try await TimelapseFiles(MovieDestination(path), settings)
        let schedule = ShotSchedule(
            every: settings.interval, from: files.anchor(at: clock.now.wall, settings.interval) ?? clock.now.wall,
            begin: clock.now.wall)
        let track = TimelapseTrack(schedule, limit: 10_000) { clock.now }
        let planned =
            if let known { known } else {
                try await TimelapsePlan.plan(
                    settings, Self.sample(0, at: .zero), container: try MovieDestination(path).container())
            }
        files.use(TimelapsePlan(planned: planned, rate: settings.rate, look: look))
        track.change(to: try await files.openFirst(.init()), until: hasBorder ? files.border : nil)
        return (track, files)
    }

    /// Waits until so many frames are in the file, without its index.
    func reaches(_ count: Int, in path: FilePath) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        var found = ""
        while ContinuousClock.now < deadline {
            let result = try await Tool.run(
                "ffprobe",
                [
                    "-v", "quiet", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0",
                    path.string,
                ])
            found = result.text.trimmingCharacters(in: .whitespacesAndNewlines)
            if found == "\(count)" { return }
        }
        Issue.record("\(found) of \(count) shots are in the file")
    }

    @Test func `killed and resumed thirty times, each shot lies on the grid`() async throws {
        let name = "month.mov"
        var random = SeededGenerator.printed(for: "a month's gaps")
        let folder = try TemporaryFolder()
        var path = FilePath(folder.file("0-\(name)"))
        var settings = TimelapseSettings(every: Self.interval)
        settings.movie.videoCodec = .h264
        settings.resumes = true
        let clock = Clock()
        let anchor = clock.now.wall
        let none = Self.frame(0)
        var expected: [Int] = []
        var (descriptors, memory): ([Int], [Int]) = ([], [])
        var (silentUntil, last) = (MediaTime.zero, -1)
        let planned = try await TimelapsePlan.plan(
            settings, Self.sample(0, at: .zero), container: Container(fileName: name))
        var (track, files) = try await begin(path, settings, clock, planned)
        for day in 0..<Self.days {
            // A frame every twelve minutes or so: some slots get a late one, some none.
            let end = clock.now.running + 86_400 * .second
            while clock.now.running < end {
                clock.advance(by: MediaTime(seconds: Double.random(in: 180...1260, using: &random)))
                if Int.random(in: 0..<100, using: &random) == 0 {
                    silentUntil = clock.now.running + Int.random(in: 1...5, using: &random) * 3600 * .second
                }
                if track.clockJump() != nil { last = (clock.now.wall - anchor).quotient(dividingBy: Self.interval) }
                guard clock.now.running >= silentUntil else { continue }
                let slot = (clock.now.wall - anchor).quotient(dividingBy: Self.interval)
                let isExpected =
                    slot > last && clock.now.wall - anchor - slot * Self.interval <= Self.interval / 2
                if track.isWanted(clock.now.running) != isExpected { Issue.record("slot \(slot) is not \(isExpected)") }
                // A frame that is not due is offered too.
                track.receive(
                    .init(buffer: isExpected ? Self.frame(slot) : none, caps: Self.caps, time: clock.now.running))
                if isExpected {
                    expected.append(slot)
                    last = slot
                }
            }
            if day == 11 { clock.set(by: -7200 * .second) }
            if day == 19 { clock.set(by: 5400 * .second) }
            if day == 11 || day == 19 {
                #expect(track.clockJump() != nil)
                last = (clock.now.wall - anchor).quotient(dividingBy: Self.interval)
            }
            try await reaches(expected.count, in: path)
            descriptors.append(try ThisProcess.openFiles().count)
            memory.append(ThisProcess.residentMemory)
            // What a kill leaves is what is in the file; every third time the movie was completed.
            if day % 3 == 2 {
                let result = await files.finish(track.change(to: nil), .stopped)
                #expect(result.isPlayable && result.path == path && result.problem == nil, "\(result)")
            }
            let next = FilePath(folder.file("\(day + 1)-\(name)"))
            try FileManager.default.copyItem(atPath: path.string, toPath: next.string)
            if day % 3 == 0 {
                // In the middle of a frame.
                let file = try FileHandle(forWritingTo: URL(filePath: next.string))
                try file.seekToEnd()
                try file.write(contentsOf: Data([0, 0, 1, 20, 109, 111, 111, 102, 0, 0]))
                try file.close()
            }
            await track.change(to: nil)?.writer.cancel()
            unlink(path.string)
            path = next
            (track, files) = try await begin(path, settings, clock, planned)
            // The first shot's time: a slot of the same grid, but the first one only where that had a frame.
            let begin = (try #require(files.anchor(at: clock.now.wall, Self.interval))) - anchor
            #expect(begin == begin.quotient(dividingBy: Self.interval) * Self.interval)
            last = max(last, (clock.now.wall - .nanosecond - anchor).quotient(dividingBy: Self.interval))
        }
        let slot = last + 1
        clock.advance(by: anchor + slot * Self.interval - clock.now.wall)
        track.receive(Self.sample(slot, at: clock.now.running))
        expected.append(slot)
        let result = await files.finish(track.change(to: nil), .stopped)
        #expect(result.isPlayable && result.progress.frames == expected.count && result.parts.isEmpty)
        #expect(expected.count > 200, "\(expected.count)")
        #expect(try await Self.numbers(in: path.string) == expected)
        try await FFmpeg.decode(path.string)
        let packets = try await FFProbe.packets("v:0", of: path.string)
        let wrong = packets.enumerated().filter { abs(($1.ptsTime?.value ?? -1) - Double($0) / 30) > 0.000_5 }
        #expect(wrong.isEmpty)
        print("descriptors", descriptors.first ?? 0, descriptors.last ?? 0, "resident MB", memory.map { $0 >> 20 })
        #expect((descriptors.last ?? 99) <= (descriptors.first ?? 0) + 4, "\(descriptors)")
        // Thirty encoders came and went, of 18 MB each.
        #expect((memory.last ?? 0) - (memory.dropFirst(5).first ?? 0) < 160 << 20, "\(memory)")
    }

    @Test func `a month in one go takes no more memory than its first days, and no more files than its first half`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.file("a.mp4"))
        var settings = TimelapseSettings(every: 7200 * .second)
        settings.movie.videoCodec = .h264
        let clock = Clock()
        let (track, files) = try await begin(path, settings, clock)
        var (open, memory): ([[Int: String]], [Int]) = ([], [])
        for day in 0..<Self.days {
            for shot in 0..<12 {
                track.receive(Self.sample(day * 12 + shot, at: clock.now.running))
                _ = track.clockJump()
                clock.advance(by: settings.interval)
            }
            // A day counts once its shots have gone all the way.
            let deadline = ContinuousClock.now + .seconds(120)
            repeat {
                try await Task.sleep(for: .milliseconds(1))
            } while track.movie?.writer.framesInFile ?? 0
                < 12 * (day + 1) - 1 && ContinuousClock.now < deadline
            open.append(try ThisProcess.openFiles())
            memory.append(ThisProcess.residentMemory)
        }
        let result = await files.finish(track.change(to: nil), .stopped)
        #expect(result.isPlayable && result.progress.frames == 12 * Self.days && track.schedule.missed == 0)
        #expect(try await Self.numbers(in: path.string) == Array(0..<12 * Self.days))
        // Two pools of threads may open a pair of descriptors the first time that they wait, on whichever day that is; what each day,
        // or each third one, leaves open is more.
        let new = open[Self.days - 1].filter { open[Self.days / 2][$0.key] == nil }
        let most = open.prefix(Self.days / 2).map(\.count).max() ?? 0
        #expect((open.last?.count ?? .max) <= most + 4, "more than in the first half: \(new)")
        #expect((memory.last ?? 0) - memory[4] < 8 << 20, "\(memory.map { $0 >> 10 })")
    }
}
