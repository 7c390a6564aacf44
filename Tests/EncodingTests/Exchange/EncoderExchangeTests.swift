import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Encoding

/// Encoders that take each other's place while a movie is written.
@Suite(.timeLimit(.minutes(10))) struct EncoderExchangeTests {
    private static let count = 120
    private static let frame: MediaTime = 40 * .millisecond
    private let folder: TemporaryFolder
    private static let noise = NumberedFrames.noise()

    init() throws { folder = try TemporaryFolder() }

    private func planned(_ codec: VideoCodec, _ container: Container) async throws -> MoviePlanner.Planned {
        var settings = MovieSettings()
        (settings.videoCodec, settings.audioCodec) = (codec, .aac)
        return try await MoviePlanner(settings: settings, container: container).plan(
            frames: .init(
                caps: try Caps(
                    "video/x-raw,format=I420,width=128,height=128,framerate=25/1,colorimetry=bt709,"
                        + "pixel-aspect-ratio=1/1,interlace-mode=progressive")),
            audio: [
                .init(
                    caps: try Caps("audio/x-raw,format=F32LE,rate=48000,channels=1,layout=interleaved"), channels: 1,
                    rate: 48_000)
            ])
    }

    /// Hands over numbered frames with silence, and does something before some of them.
    ///
    /// - Parameter isLive: whether the encoder is never far behind, as with a camera.
    private func write(
        _ writer: MovieWriter, isLive: Bool = false, _ actions: [Int: () async throws -> Void]
    ) async throws {
        try await writer.start()
        let silence = [UInt8](repeating: 0, count: 1920 * 4)
        for index in 0..<Self.count {
            while isLive && writer.waitingFrames > 3 { try await Task.sleep(for: .milliseconds(2)) }
            try await actions[index]?()
            let time = index * Self.frame
            let video = NumberedFrames.frame(index, over: Self.noise).withUnsafeBytes {
                Buffer(copying: $0, presentationTime: time, duration: Self.frame)
            }
            #expect(writer.append(frame: video, limit: 300) == .taken)
            _ = silence.withUnsafeBytes {
                writer.append(audio: Buffer(copying: $0, presentationTime: time, duration: Self.frame))
            }
        }
    }

    /// Goes over to a speed, after the last exchange.
    private func change(_ writer: MovieWriter, to step: Int) async throws {
        while writer.isExchangingEncoder { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await writer.exchangeEncoder(speed: step) && writer.speedStep == step)
    }

    /// Every frame once, in order, at its time; and nothing that ffmpeg's decoder would complain of.
    private func check(_ name: String, _ range: Range<Int> = 0..<count) async throws {
        let path = folder.file(name)
        #expect(try await NumberedFrames.numbers(in: path) == Array(range))
        try await FFmpeg.decode(path)
        let times = try await FFProbe.packets("v:0", of: path).compactMap(\.ptsTime?.value)
        let wrong = times.enumerated().filter { abs($1 - times[0] - Double($0) / 25) > 0.001 }
        #expect(times.count == range.count && wrong.isEmpty, "\(wrong)")
    }

    @Test(arguments: [(VideoCodec.h264, Container.mov), (.h264, .mkv), (.hevc, .mp4), (.hevc, .mkv)])
    func `four exchanges lose no frame, and one sample description has the parameter sets of all`(
        codec: VideoCodec, container: Container
    ) async throws {
        let planned = try await planned(codec, container)
        let name = "take.\(container.rawValue)"
        let writer = try MovieWriter(
            planned.plan, destination: MovieDestination(FilePath(folder.file(name))), options: planned.options)
        let fastest = writer.fasterSpeeds
        #expect(fastest > 0)
        try await write(
            writer,
            [
                30: { try await change(writer, to: fastest) }, 50: { try await change(writer, to: fastest - 1) },
                70: { try await change(writer, to: fastest) }, 90: { try await change(writer, to: 0) },
            ])
        let file = try await writer.finish(within: .seconds(120))
        #expect(file.isComplete && file.problem == nil && file.fault == nil)
        try await check(name)
        let keys = try await FFProbe.packets("v:0", of: folder.file(name)).enumerated().filter(\.element.isKey)
        #expect(keys.count >= 5, "\(keys.map(\.offset))")
        // From the middle of a later encoder's frames on too.
        let late = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "warning", "-ss", "3.0", "-i", folder.file(name), "-f", "null", "-"])
        #expect(late.errors.isEmpty, "\(late.errors)")
        #expect(try await FFProbe.packets("a:0", of: folder.file(name)).isEmpty == false)
    }

    /// As a kill leaves it.
    @Test(arguments: [VideoCodec.h264, .hevc])
    func `a movie that is never finished plays, with the frames of all encoders`(codec: VideoCodec) async throws {
        let planned = try await planned(codec, .mp4)
        let writer = try MovieWriter(
            planned.plan, destination: MovieDestination(FilePath(folder.file("take.mp4"))), options: planned.options)
        try await write(writer, [30: { try await change(writer, to: writer.fasterSpeeds) }])
        let path = try #require(writer.path)
        // Until the file has frames of both encoders, however busy the machine is.
        while (try? await FFProbe.packets("v:0", of: path.string).count) ?? 0 <= 60 {
            try await Task.sleep(for: .milliseconds(20))
        }
        try FileManager.default.copyItem(atPath: path.string, toPath: folder.file("killed.mp4"))
        await writer.cancel()
        let numbers = try await NumberedFrames.numbers(in: folder.file("killed.mp4"))
        #expect(numbers.count > 60 && numbers == Array(0..<numbers.count), "\(numbers)")
        _ = try MovieRecovery.recover(FilePath(folder.file("killed.mp4")))
        try await check("killed.mp4", 0..<numbers.count)
    }

    @Test func `parts that begin before, in and after an exchange are whole`() async throws {
        let planned = try await planned(.h264, .mov)
        let names = ["a.mov", "b.mov", "c.mov"]
        func destination(_ index: Int) -> MovieDestination { MovieDestination(FilePath(folder.file(names[index]))) }
        let writer = try MovieWriter(planned.plan, destination: destination(0), options: planned.options)
        func split(_ index: Int) async throws {
            while try await !writer.split(to: destination(index), options: planned.options) {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        try await write(
            writer, isLive: true,
            [
                20: { try await change(writer, to: 1) }, 45: { try await split(1) },
                46: { try await change(writer, to: 0) }, 80: { try await split(2) },
                100: { try await change(writer, to: writer.fasterSpeeds) },
            ])
        #expect(try await writer.finish(within: .seconds(120)).isComplete)
        var numbers: [Int] = []
        for name in names {
            try await FFmpeg.decode(folder.file(name))
            numbers += try await NumberedFrames.numbers(in: folder.file(name))
        }
        #expect(numbers == Array(0..<Self.count), "\(numbers)")
    }

    @Test func `what is kept in memory is saved with the frames of both encoders`() async throws {
        let planned = try await planned(.h264, .mp4)
        let writer = try MovieWriter(
            planned.plan, destination: MovieDestination(FilePath(folder.file("take.mp4"))), options: planned.options,
            keeping: KeptHistory(duration: 10 * .second, limit: 100_000_000))
        try await write(
            writer,
            [
                30: { try await change(writer, to: 1) },
                110: {
                    // The encoders have as long as they want: what save waits for is seconds.
                    while (writer.kept?.span ?? .zero) < 4 * .second { try await Task.sleep(for: .milliseconds(5)) }
                    _ = try await writer.save(
                        .zero..<4 * .second, to: MovieDestination(FilePath(folder.file("saved.mp4"))),
                        options: planned.options, chapters: [])
                },
            ])
        #expect(try await writer.finish(within: .seconds(120)).isComplete)
        try await check("take.mp4")
        try await FFmpeg.decode(folder.file("saved.mp4"))
        let saved = try await NumberedFrames.numbers(in: folder.file("saved.mp4"))
        #expect(saved.count >= 100 && saved == Array(0..<saved.count), "\(saved)")
    }

    @Test func `whoever names a speed keeps it, and a copied stream has none`() async throws {
        var settings = MovieSettings()
        (settings.videoCodec, settings.encoderSpeed) = (.h264, "veryfast")
        let raw = MoviePlanner.Frames(caps: try Caps("video/x-raw,format=I420,width=128,height=128,framerate=25/1"))
        let named = try await MoviePlanner(settings: settings, container: .mov).plan(frames: raw, audio: [])
        #expect(named.plan.video?.faster.isEmpty == true)
        let copied = MoviePlanner.Frames(caps: try Caps("video/x-h264,width=128,height=128,framerate=25/1"))
        let copy = try await MoviePlanner(settings: MovieSettings(), container: .mov).plan(frames: copied, audio: [])
        #expect(copy.plan.video?.faster.isEmpty == true)
    }
}
