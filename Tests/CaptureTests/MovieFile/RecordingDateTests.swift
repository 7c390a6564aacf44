import Encoding
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Capture

/// When a recording's files say that their first frames were taken.
@Suite(.timeLimit(.minutes(10))) struct RecordingDateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let day = 86_400.0

    /// How far a time of the day lies behind another one, across midnight too.
    private func distance(_ later: Double, _ earlier: Double) -> Double {
        (later - earlier).remainder(dividingBy: Self.day)
    }

    private func date(of path: FilePath) throws -> Date {
        let info = try MovieInfo(contentsOf: path)
        return try #require(info.creationDate.flatMap { MovieDate($0) }).date
    }

    private func dateInMatroska(_ path: FilePath?) async throws -> Date {
        let text = try await FFProbe.inspect(#require(path).string).format.tags?["creation_time"]
        return try Date(#require(text), strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private func timeOfDay(_ date: Date) -> Double {
        date.timeIntervalSince1970 + Double(TimeZone.current.secondsFromGMT(for: date))
    }

    @Test(arguments: ["take.mov", "take.mp4"])
    func `the clock's time of day is the first frame's, to the frame`(name: String) async throws {
        let session = try await TestTake.session()
        let output = try await TestTake.output(of: session)
        let before = Date()
        let recording = try await output.startRecording(
            to: TestTake.destination(folder, name), settings: TestTake.settings, limits: TestTake.limits())
        _ = await recording.first { if case .started = $0 { true } else { nil } }
        let after = Date()
        await recording.reaches(seconds: 1)
        let result = await recording.stop()
        await session.stop()
        #expect(result.isPlayable)
        let file = folder.file(name)
        try await FFmpeg.decode(file)
        let code = try await FFProbe.secondsOfTimeCode(file)
        let info = try MovieInfo(contentsOf: FilePath(file))
        let date = try #require(info.creationDate.flatMap { MovieDate($0) })
        // The date is that of the frame, and the code the frame that is under way then.
        let behind = distance(timeOfDay(date.date), code)
        #expect(behind > -0.001 && behind < 1.0 / 30 + 0.001, "\(date) and \(code)")
        #expect(
            date.date > before.addingTimeInterval(-0.1) && date.date < after.addingTimeInterval(0.001),
            "\(date): \(after.timeIntervalSince(date.date))")
    }

    @Test func `who says when it was taken is believed to the frame`() async throws {
        let session = try await TestTake.session()
        let output = try await TestTake.output(of: session)
        var settings = TestTake.settings
        settings.metadata.creationDate = MovieDate("2020-02-29T23:59:58.500+0900")
        let recording = try await output.startRecording(
            to: TestTake.destination(folder), settings: settings, limits: TestTake.limits(seconds: 1))
        #expect(await recording.result.isPlayable)
        await session.stop()
        let info = try MovieInfo(contentsOf: FilePath(folder.file("take.mov")))
        #expect(info.timecode == "23:59:58:15" && info.creationDate == "2020-02-29T23:59:58.500+0900")
    }

    @Test func `each part has the time of its own first frame, pauses included`() async throws {
        let session = try await TestTake.session()
        let output = try await TestTake.output(of: session)
        let recording = try await output.startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        await recording.reaches(seconds: 0.5)
        let clock = ContinuousClock()
        let asked = clock.now
        recording.pause()
        _ = await recording.first { if case .paused = $0 { true } else { nil } }
        let isPaused = clock.now
        for _ in 0..<2 { _ = await recording.first { if case .progress = $0 { true } else { nil } } }
        let goesOn = clock.now
        recording.resume()
        _ = await recording.first { if case .resumed = $0 { true } else { nil } }
        // With the next frame, which the movie's length tells of.
        await recording.reaches(seconds: 1)
        let gone = clock.now
        recording.split()
        _ = await recording.first { if case .finishedPart = $0 { true } else { nil } }
        let result = await recording.stop()
        await session.stop()
        #expect(result.isPlayable && result.parts.count == 1)
        let part = try #require(result.parts.first)
        let first = try await FFProbe.secondsOfTimeCode(#require(part.path).string)
        let second = try await FFProbe.secondsOfTimeCode(#require(result.path).string)
        let pause = distance(second, first) - part.duration.seconds
        func seconds(_ from: ContinuousClock.Instant, _ to: ContinuousClock.Instant) -> Double {
            (to - from) / .seconds(1)
        }
        // A pause that is asked for begins with a frame that is not there yet.
        #expect(pause > seconds(isPaused, goesOn) - 0.1 && pause < seconds(asked, gone), "\(pause)")
        for path in [part.path, result.path] { try await FFmpeg.decode(#require(path).string) }
    }

    /// Matroska has no time code, so the date is all that tells.
    @Test(arguments: ["take.mkv", "take.mka"]) func `so it has in Matroska, by the date`(name: String) async throws {
        let session = try await TestTake.session(camera: name.hasSuffix("mka") ? nil : TestTake.ball)
        let output = try await TestTake.output(of: session)
        var settings = TestTake.settings
        if name.hasSuffix("mka") { settings.videoCodec = nil }
        let before = Date()
        let recording = try await output.startRecording(
            to: TestTake.destination(folder, name), settings: settings, limits: TestTake.limits())
        await recording.reaches(seconds: 1)
        recording.split()
        let part = await recording.first { if case .finishedPart(let part) = $0 { part } else { nil } }
        let result = await recording.stop()
        let after = Date()
        await session.stop()
        #expect(result.isPlayable)
        let dates = [try await dateInMatroska(part?.path), try await dateInMatroska(result.path)]
        #expect(dates[0] > before.addingTimeInterval(-0.1) && dates[1] < after)
        // A block of audio, or what a number of whole milliseconds is rounded by.
        let passed = dates[1].timeIntervalSince(dates[0])
        #expect(abs(passed - (part?.duration.seconds ?? 0)) < 0.05, "\(passed), \(part?.duration.seconds ?? 0)")
    }

    @Test func `a recording that waited for its start has in Matroska the date at which it begins`() async throws {
        let session = try await TestTake.session()
        let recording = try await TestTake.output(of: session).prepareRecording(
            to: TestTake.destination(folder, "take.mkv"), settings: TestTake.settings, limits: TestTake.limits(),
            preRoll: .seconds(1))
        await recording.tellsProgress(times: 5)
        let before = Date()
        recording.start()
        _ = await recording.first { if case .started = $0 { true } else { nil } }
        let after = Date()
        let result = await recording.stop()
        await session.stop()
        let date = try await dateInMatroska(result.path)
        // With the key frame before, two seconds earlier at most.
        #expect(date > before.addingTimeInterval(-3.1) && date < after.addingTimeInterval(-0.9), "\(date), \(before)")
    }

    /// A camera that counts its frames goes on counting in a pause.
    @Test func `a part behind a pause has the code of its own first frame in the stream`() async throws {
        let session = try await TestTake.session(
            camera: TestTake.camera(
                "videotestsrc is-live=true ! timecodestamper source=internal set=always "
                    + "! video/x-raw,format=I420,width=320,height=180,framerate=30/1"))
        let output = try await TestTake.output(of: session)
        let recording = try await output.startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        await recording.reaches(seconds: 0.5)
        recording.pause()
        _ = await recording.first { if case .paused = $0 { true } else { nil } }
        await recording.tellsProgress(times: 4)
        recording.resume()
        await recording.reaches(seconds: 1.5)
        recording.split()
        _ = await recording.first { if case .finishedPart = $0 { true } else { nil } }
        let result = await recording.stop()
        await session.stop()
        let paths = try [result.parts.first?.path, result.path].map { try #require($0) }
        var codes: [Double] = []
        for path in paths { codes.append(try await FFProbe.secondsOfTimeCode(path.string)) }
        let dates = try paths.map(date)
        // The camera is as even as the clock, but for a frame or two that a busy machine lets it be late.
        let passed = dates[1].timeIntervalSince(dates[0])
        #expect(passed > 2.5 && abs(codes[1] - codes[0] - passed) < 0.2, "\(codes), \(passed)")
    }

    @Test func `after the machine has slept the time of day is right, and the movie goes on`() {
        let lead = Locked(40 * MediaTime.second)
        let suspensions = Suspensions { lead.withLock { $0 } }
        let clock = Date(timeIntervalSince1970: 1_000_000)
        let date = RecordingDate(nil, suspensions: suspensions, clock: { clock }, now: { .zero })
        func seconds(_ time: Int) -> Double { date.date(ofRunningTime: time * .second).date.timeIntervalSince(clock) }
        #expect(suspensions.look(at: 10 * .second) == nil)
        // An hour, and then ten seconds more; what the readings are apart is none.
        lead.withLock { $0 += 3600 * .second }
        #expect(suspensions.look(at: 11 * .second) == 3600 * .second)
        lead.withLock { $0 += 10 * .millisecond }
        #expect(suspensions.look(at: 12 * .second) == nil)
        lead.withLock { $0 += 10 * .second }
        #expect(suspensions.look(at: 20 * .second).map { Int($0.seconds) } == 10)
        #expect([5, 11, 30].map(seconds).map { Int($0) } == [5, 3611, 3640])
        // This machine has not slept meanwhile.
        #expect(Suspensions().look(at: .second) == nil)
    }

    @Test func `a place in the movie is found in the running time across pauses`() throws {
        var timeline = RecordingTimeline(requested: .second, startsWithVideo: false)
        #expect(RecordingTimeline(startsWithVideo: true).runningTime(at: .zero) == nil)
        _ = timeline.pause(at: 3 * .second)
        _ = timeline.resume(at: 7 * .second)
        for (movie, running) in [(0, 1), (1, 2), (2, 7), (3, 8)] {
            #expect(timeline.runningTime(at: movie * .second) == running * .second)
            #expect(timeline.movieTime(of: running * .second) == movie * .second)
        }
        let clock = Date(timeIntervalSince1970: 1_000_000)
        let zone = TimeZone(secondsFromGMT: 3600) ?? .gmt
        let date = RecordingDate(nil, timeZone: zone, clock: { clock }, now: { 5 * .second })
        #expect(date.date(at: 2 * .second, timeline) == MovieDate(clock.addingTimeInterval(2), secondsFromGMT: 3600))
        let given = MovieDate(Date(timeIntervalSince1970: 0), secondsFromGMT: -3600)
        let told = RecordingDate(given, clock: { clock }, now: { 5 * .second })
        #expect(told.date(at: .zero, timeline) == given)
        // Held up between the two readings once.
        var times = [5.0, 9, 9, 9, 9, 9, 9, 9, 9, 9].makeIterator()
        let held = RecordingDate(nil, timeZone: zone, clock: { clock }) {
            times.next().map { MediaTime(seconds: $0) } ?? .zero
        }
        #expect(held.date(at: 6 * .second, timeline) == MovieDate(clock.addingTimeInterval(2), secondsFromGMT: 3600))
        #expect(told.date(at: 2 * .second, timeline)?.date == Date(timeIntervalSince1970: 6))
    }
}
