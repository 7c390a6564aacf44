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
        for (frame, value) in similarities.enumerated() { #expect(value > 0.98, "frame \(frame)") }
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

    @Test func `melt renders round corners and borders as they were composed, on their way too`() async throws {
        let reference = try await ComposedReference(
            in: folder, stem: "round", frames: 40,
            changes: [
                (0, try Layout("bottom-right,size=40%,radius=150,border=24"), 0, [0, 1]),
                (8, try Layout("top-left,size=60%,radius=60"), 8, [0, 1]),
                (20, try Layout("top-left,size=60%,radius=60"), 8, [1, 0]),
                (32, try Layout("top-left,size=60%,border=30"), 0, [1, 0]),
            ])
        let similarities = try await reference.similarities(of: reference.project)
        #expect(similarities.count == 40 && similarities.allSatisfy { $0 > 0.98 }, "\(similarities)")
        // Without them it is another movie.
        var plain = reference.project
        for step in plain.steps.indices {
            for place in plain.steps[step].placements.indices {
                plain.steps[step].placements[place].cornerRadius = 0
                plain.steps[step].placements[place].borderWidth = 0
            }
        }
        let others = try await reference.similarities(of: plain)
        #expect(zip(others, similarities).allSatisfy { $0 < $1 }, "\(similarities) \(others)")
        let (plainSum, sum) = (others.reduce(0, +), similarities.reduce(0, +))
        #expect(plainSum < sum - 0.4, "\(similarities) \(others)")
    }

    @Test func `melt shows black through a main camera that fades, also where another layout comes before it is gone`()
        async throws
    {
        let reference = try await ComposedReference(
            in: folder, stem: "fading", frames: 40,
            changes: [
                (0, try Layout("side-by-side"), 0, [0, 1]), (4, Layout(.insetOnly), 10, [0, 1]),
                (13, try Layout("side-by-side"), 20, [0, 1]),
            ])
        let similarities = try await reference.similarities(of: reference.project)
        #expect(similarities.count == 40 && similarities.allSatisfy { $0 > 0.96 }, "\(similarities)")
        // Its layer and the inset's are drawn over the black, one whose main camera stays in full light over that.
        #expect(try lowestTracks(of: reference.project) == ["0", "0"])
        var opaque = reference.project
        for step in opaque.steps.indices {
            for place in opaque.steps[step].placements.indices { opaque.steps[step].placements[place].opacity = 1 }
        }
        #expect(try lowestTracks(of: opaque) == ["2"])
    }

    /// Over which track each layer is drawn.
    private func lowestTracks(of project: EditProject) throws -> [String] {
        let text = String(decoding: try project.mlt(name: "take"), as: UTF8.self)
        return text.components(separatedBy: "<transition>").dropFirst().filter { $0.contains(">composite<") }
            .compactMap { $0.firstMatch(of: #/name="a_track">(\d+)</#).map { String($0.1) } }
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
        let text = String(decoding: try project.mlt(name: "take"), as: UTF8.self)
        #expect(text.contains("Desk &amp; chair") && text.contains("Guest"))
        _ = try await reference.similarities(of: project)
        let heard = try await FFmpeg.audio(of: folder.file("edited.mkv"), rate: 8000).dropFirst(2000).prefix(8000)
        for hertz in [440.0, 1000] {
            #expect(ToneAnalysis.amplitude(of: hertz, in: heard, rate: 8000) > 0.05, "\(hertz)")
        }
    }

    @Test(arguments: Cases.taken(of: ["12:30 http:", "%03d", "#1? *", "it's ä", "two\nlines"], most: 2))
    func `it finds the cameras' movies, whatever they are called`(_ stem: String) async throws {
        let reference = try await ComposedReference(
            in: folder, stem: stem, frames: 4, changes: [(0, try Layout("bottom-right,size=30%"), 0, [0, 1])])
        let similarities = try await reference.similarities(of: reference.project)
        #expect(similarities.count == 4 && similarities.allSatisfy { $0 > 0.98 }, "\(similarities)")
    }

    @Test func `of a camera whose frames come after the main one's, the newest is shown that is not later`()
        async throws
    {
        let reference = try await ComposedReference(
            in: folder, stem: "between", frames: 60, changes: [(0, Layout(.mainOnly), 0, [1, 0])])
        let (movie, late) = (folder.file(reference.project.cameras[1].fileName), folder.file("late.mov"))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie, "-vf"]
                + ["settb=1/30000,setpts=if(eq(N\\,0)\\,0\\,(N+0.4)/30/TB)", "-fps_mode", "passthrough"]
                + ["-enc_time_base", "-1", "-video_track_timescale", "30000", "-c:v", "libx264", "-preset"]
                + ["ultrafast", "-crf", "8", "-c:a", "copy", late])
        #expect(rename(late, movie) == 0)
        // MLT decodes beyond the first one at once, and the last ones come nearer, as a movie's rate is its mean.
        let similarities = try await reference.similarities(of: reference.project, late: 1).prefix(54).dropFirst()
        #expect(similarities.count == 53 && similarities.allSatisfy { $0 > 0.98 }, "\(similarities)")
    }
}
