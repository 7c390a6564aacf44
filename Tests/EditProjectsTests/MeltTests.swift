import EditProjects
import Foundation
import Imaging
import MediaTypes
import TestSupport
import Testing

/// What melt renders of a project is compared with the composed frames.
@Suite(.requires(tool: "melt", package: "melt"), .timeLimit(.minutes(10))) struct MeltTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `melt renders insets that move, fade, fill and swap as they were composed`() async throws {
        let reference = try await ComposedReference(
            in: folder, stem: "-take <1> 50%", frames: 75,
            changes: [
                (0, try Layout("bottom-right,size=30%,margin=4%"), 0, [0, 1]),
                (15, try Layout("top-left,size=40%,margin=0"), 10, [0, 1]),
                (30, try Layout("top-left,size=40%,margin=0"), 6, [1, 0]),
                (40, try Layout("side-by-side,fill"), 0, [1, 0]),
                (50, try Layout("main-only"), 8, [0, 1]),
                (64, try Layout("bottom-left,size=25%"), 0, [0, 1]),
            ])
        let similarities = try await reference.similarities(of: reference.project)
        #expect(similarities.count == 75)
        // What is cut off an editor's clip does not change on its way from a half of the frame to the whole.
        let cropping = 50..<58
        for (frame, value) in similarities.enumerated() where !cropping.contains(frame) {
            #expect(value > 0.98, "frame \(frame)")
        }
        let mean = similarities.reduce(0, +) / 75
        #expect(mean > 0.98)
        let streams = try await FFProbe.inspect(folder.file("edited.mkv"))
        #expect(streams.audio.count == 1 && streams.video.first?.width == 640)
        // The sound of the first camera, once.
        let heard = try await FFmpeg.audio(of: folder.file("edited.mkv"), rate: 8000)
        let recorded = try await FFmpeg.audio(of: folder.file(reference.project.cameras[0].fileName), rate: 8000)
        func loudness(_ samples: [Float]) -> Float {
            let part = samples.prefix(16000)
            return (part.reduce(0) { $0 + $1 * $1 } / Float(max(1, part.count))).squareRoot()
        }
        #expect(abs(loudness(heard) / loudness(recorded) - 1) < 0.1, "\(loudness(heard)) \(loudness(recorded))")
        // One that begins a layout half a second late is another movie.
        var late = reference.project
        for index in late.steps.indices.dropFirst() {
            late.steps[index].start = late.steps[index].start + MediaTime(seconds: 0.5)
        }
        let others = try await reference.similarities(of: late)
        #expect(others.reduce(0, +) / 75 < mean - 0.02)
    }

    @Test func `each microphone's track is in it by name, and all are heard`() async throws {
        let reference = try await ComposedReference(
            in: folder, stem: "-two", frames: 50, changes: [(0, try Layout("bottom-right,size=30%"), 0, [0, 1])])
        let movie = folder.file(reference.project.cameras[0].fileName)
        let tones = folder.file("tones.mov")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie, "-f", "lavfi", "-i", "sine=440:r=48000:d=2", "-f", "lavfi", "-i"]
                + [
                    "sine=1000:r=48000:d=2", "-map", "0:v", "-map", "1", "-map", "2", "-c:v", "copy", "-c:a", "aac",
                    tones,
                ])
        #expect(rename(tones, movie) == 0)
        var project = reference.project
        project.audioTracks = ["Desk & chair", "Guest"]
        let text = String(decoding: project.mlt(name: "take"), as: UTF8.self)
        #expect(text.contains("Desk &amp; chair") && text.contains("Guest"))
        _ = try await reference.similarities(of: project)
        let heard = try await FFmpeg.audio(of: folder.file("edited.mkv"), rate: 8000).dropFirst(2000).prefix(8000)
        for hertz in [440.0, 1000] {
            #expect(ToneAnalysis.amplitude(of: hertz, in: heard, rate: 8000) > 0.05, "\(hertz)")
        }
    }

    @Test(arguments: ["12:30 http:", "%03d", "#1? *", "it's ä", "two\nlines"])
    func `it finds the cameras' movies, whatever they are called`(_ stem: String) async throws {
        let reference = try await ComposedReference(
            in: folder, stem: stem, frames: 4, changes: [(0, try Layout("bottom-right,size=30%"), 0, [0, 1])])
        let similarities = try await reference.similarities(of: reference.project)
        #expect(similarities.count == 4 && similarities.allSatisfy { $0 > 0.98 }, "\(similarities)")
    }
}
