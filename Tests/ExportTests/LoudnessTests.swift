import Encoding
import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// Audio as loud as was asked for; judged by ffmpeg's own meter.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LoudnessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter audio: sources of lavfi, a track each.
    private func make(_ name: String, _ audio: [String], codec: String = "pcm_s16le") async throws -> FilePath {
        let sources = ["testsrc2=size=160x96:rate=25:duration=8"] + audio
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + sources.flatMap { ["-f", "lavfi", "-i", $0] }
                + sources.indices.flatMap { ["-map", "\($0)"] }
                + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", codec, folder.file(name)])
        return FilePath(folder.file(name))
    }

    /// What ffmpeg measures of a track.
    private func measure(_ name: String, track: Int = 0) async throws -> (integrated: Double, peak: Double) {
        let words = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-nostats", "-i", folder.file(name), "-map", "0:a:\(track)"]
                + ["-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"]
        ).errors
        let integrated = try #require(words.firstMatch(of: #/I: +(-?[0-9.]+) LUFS/#)?.1)
        let peak = try #require(words.firstMatch(of: #/Peak: +(-?[0-9.]+|-inf) dBFS/#)?.1)
        return (try #require(Double(integrated)), Double(peak) ?? -.infinity)
    }

    private func export(
        _ input: FilePath, to name: String, _ loudness: Double, _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> ExportResult {
        var settings = ExportSettings(preset: "copy")
        settings.loudness = loudness
        change(&settings)
        let result = try await ExportSession(input: input, settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name)), replacesExisting: true))
        try await FFmpeg.decode(folder.file(name))
        return result
    }

    /// Noise that swells and fades, so that its parts are not as loud as the whole.
    private static let swell = "aevalsrc='0.1*(random(0)-0.5)*(1+sin(2*PI*t/8))|0.05*sin(880*PI*t)':s=48000:d=8"

    @Test(arguments: [-23.0, -16, -40])
    func `each track becomes as loud, whatever it was`(wanted: Double) async throws {
        let input = try await make("in.mov", [Self.swell, "sine=1000:duration=8"])
        let result = try await export(input, to: "out.mov", wanted) { $0.audio = .codec(.pcm) }
        for track in 0...1 {
            let measured = try await measure("out.mov", track: track)
            #expect(abs(measured.integrated - wanted) <= 0.1, "track \(track): \(measured), \(result.notes)")
        }
        #expect(result.copiesFrames)
        #expect(result.notes.contains { $0.hasPrefix("Audio track 2: ") && $0.contains("became") }, "\(result.notes)")
    }

    @Test(arguments: ["mp4", "mkv", "webm"]) func `audio that is fit to be copied is encoded`(ending: String)
        async throws
    {
        let input = try await make("in.mp4", ["sine=1000:duration=8"], codec: "aac")
        _ = try await export(input, to: "out.\(ending)", -20) {
            $0.preset = ending == "webm" ? "webm" : "copy"
            if ending == "mkv" { $0.audio = .codec(.opus) }
        }
        let measured = try await measure("out.\(ending)")
        #expect(abs(measured.integrated + 20) <= 0.1, "\(measured)")
    }

    @Test func `only the part that is taken is measured`() async throws {
        let input = try await make("in.mov", [Self.swell])
        _ = try await export(input, to: "out.mov", -20) {
            ($0.preset, $0.audio) = ("h264", .codec(.pcm))
            $0.range = TimeRange(start: MediaTime(seconds: 5), end: MediaTime(seconds: 7))
        }
        let measured = try await measure("out.mov")
        #expect(abs(measured.integrated + 20) <= 0.1, "\(measured)")
    }

    @Test(arguments: [("out.mov", AudioCodec.pcm), ("out.mp4", .aac)])
    func `peaks stay below -1 dBTP, and a line says what that costs`(name: String, codec: AudioCodec) async throws {
        let click = "if(lt(mod(t\\,1)\\,0.01)\\,0.9\\,0.02)*sin(2*PI*997*t)"
        let input = try await make("in.mov", ["aevalsrc='\(click)':s=48000:d=8"])
        let result = try await export(input, to: name, -10) { $0.audio = .codec(codec) }
        let measured = try await measure(name)
        #expect(measured.peak <= -1, "\(measured)")
        #expect(measured.peak > -3, "\(measured)")
        let costs = result.notes.compactMap { $0.firstMatch(of: #/-10 LUFS would clip; (-[0-9.]+) LUFS/#)?.1 }
        let told = try #require(costs.first)
        #expect(abs(try #require(Double(told)) - measured.integrated) <= 0.2, "\(measured), \(result.notes)")
    }

    @Test func `what is mixed down for its encoder is measured as it is heard then`() async throws {
        let tones = (1...8).map { "0.0\($0)*sin(\($0)00*PI*t)" }.joined(separator: "|")
        let input = try await make("in.mkv", ["aevalsrc='\(tones)':c=7.1:s=48000:d=8"], codec: "flac")
        let result = try await export(input, to: "out.mp4", -30) { $0.audio = .codec(.aac) }
        let measured = try await measure("out.mp4")
        #expect(abs(measured.integrated + 30) <= 0.3, "\(measured), \(result.notes)")
        #expect(result.notes.contains { $0.contains("8 are mixed down") }, "\(result.notes)")
    }

    @Test func `of several tracks only the one that the file holds is measured`() async throws {
        let input = try await make("in.mkv", ["sine=1000:duration=8", Self.swell], codec: "flac")
        let result = try await export(input, to: "out.flac", -30) { $0.audio = .codec(.flac) }
        #expect(abs(try await measure("out.flac").integrated + 30) <= 0.1)
        #expect(result.notes.count { $0.contains("LUFS") } == 1, "\(result.notes)")
        #expect(!result.notes.contains { $0.contains("Audio track 2") }, "\(result.notes)")
    }

    @Test func `an export is cancelled while a gap of days is measured`() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=sample_rate=48000:duration=2:seed=1"]
                + ["-af", "asetpts='PTS+if(gt(T,1),500000/TB,0)'", "-c:a", "pcm_s16le", folder.file("gap.mkv")])
        var settings = ExportSettings(preset: "copy")
        settings.loudness = -20
        let session = ExportSession(input: FilePath(folder.file("gap.mkv")), settings: settings)
        let destination = MovieDestination(FilePath(folder.file("out.mkv")))
        let work = Task { try await session.export(to: destination) }
        for await case .exporting(let progress) in session.states(updateInterval: .milliseconds(20))
        where progress.mediaTime > 600 * .second { break }
        work.cancel()
        let result = await withTimeout(.seconds(60)) { await work.result }
        #expect(throws: CancellationError.self) { try #require(result).get() }
    }

    @Test func `what is shorter than any measure is not called silent`() {
        let gain = LoudnessGain(MeasuredLoudness(integrated: nil, truePeak: -20), to: -16, isLossy: false)
        #expect(gain.factor == 1 && gain.words(track: nil).contains("too short or too quiet"))
    }

    @Test func `silence stays silent, and is told`() async throws {
        let input = try await make("in.mov", ["anullsrc=d=8"])
        let result = try await export(input, to: "out.mov", -16) { $0.audio = .codec(.pcm) }
        // What is written in 16 bits is dithered.
        #expect(try await measure("out.mov").peak < -80)
        #expect(result.notes.contains("The audio is silent and stays so."), "\(result.notes)")
    }

    @Test func `a movie without audio is copied`() async throws {
        let input = try await make("in.mov", [])
        let result = try await export(input, to: "out.mov", -16)
        #expect(result.notes.contains("There is no audio whose loudness could be measured."), "\(result.notes)")
    }

    @Test func `the progress counts the measuring, and never falls`() {
        let status = ExportStatus()
        var fractions: [Double] = []
        func report(_ event: ExportStatus.Event) {
            status.report(event)
            fractions.append(status.progress.fraction ?? fractions.last ?? 0)
        }
        report(.began(.init(share: 0..<0.5, duration: .second)))
        for tenth in 1...10 { report(.audioSubmitted(until: MediaTime(seconds: Double(tenth) / 10), isLeading: true)) }
        #expect(fractions.last == 0.5)
        report(.reserved(0.5))
        report(.began(.init(phase: .encoding, duration: .second)))
        for tenth in 1...5 { report(.audioSubmitted(until: MediaTime(seconds: Double(tenth) / 10), isLeading: true)) }
        #expect(fractions == fractions.sorted())
        #expect(abs((fractions.last ?? 0) - 0.75) < 0.001)
    }
}
