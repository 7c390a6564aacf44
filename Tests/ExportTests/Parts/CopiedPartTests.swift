import Encoding
import Errors
import Export
import GStreamer
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Parts that are copied without an encoder; the notes say what stands before the part.
@Suite("A part that is copied", .serialized, .timeLimit(.minutes(10))) struct CopiedPartTests {
    private static let options = "-c:v libx264 -preset veryfast -g 12 -sc_threshold 0 -bf 2 -c:a aac"

    private func settings() -> ExportSettings {
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: 1240 * .millisecond, end: 2 * .second)
        return settings
    }

    @Test("shows exactly its frames where an edit list can hide what they need")
    func edited() async throws {
        // Nothing here encodes MPEG-4 Visual.
        let movie = try await MadeMovie("take.mp4", "-c:v mpeg4 -q:v 2 -g 12 -sc_threshold 1000000000 -c:a aac")
        let result = try await movie.export(settings(), to: "part.mov")
        #expect(try await movie.frames(of: "part.mov") == Array(31..<50))
        #expect(result.frames == 19)
        #expect(result.notes.contains { $0.contains("0.28 s before the part") && $0.contains("edit list") })
        try await FFmpeg.decode(movie.folder.file("part.mov"))
    }

    @Test("is encoded where it lies between two key frames")
    func insideGroup() async throws {
        let movie = try await MadeMovie("take.mp4", Self.options)
        var settings = settings()
        settings.verification = .full
        settings.range?.end = 1400 * .millisecond
        let result = try await movie.export(settings, to: "part.mov")
        #expect(try await movie.frames(of: "part.mov") == Array(31..<35))
        #expect(result.notes.contains { $0.contains("between two key frames") }, "\(result.notes)")
        try await FFmpeg.decode(movie.folder.file("part.mov"))
    }

    @Test("is refused where the movie ends before it, whatever it is to become", arguments: ["copy", "h264"])
    func beyond(_ preset: String) async throws {
        let movie = try await MadeMovie("take.mp4", Self.options)
        var settings = ExportSettings(preset: preset)
        settings.range = TimeRange(start: 100 * .second, end: nil)
        for name in ["part.mov", "part.mkv"] {
            let error = await #expect(throws: RushesError.self) { try await movie.export(settings, to: name) }
            #expect(error?.description.contains("ends before the part begins") == true, "\(String(describing: error))")
        }
        #expect(movie.folder.contents == ["take.mp4"])
    }

    @Test("of what has no index is refused, and is had by a copy of all of it in Matroska")
    func withoutIndex() async throws {
        let movie = try await MadeMovie("take.ts", Self.options)
        let error = await #expect(throws: RushesError.self) { try await movie.export(settings(), to: "part.mkv") }
        #expect(error?.description.contains("copy all of it to Matroska") == true, "\(String(describing: error))")
        _ = try await movie.export(ExportSettings(preset: "copy"), to: "all.mkv")
        _ = try await ExportSession(input: FilePath(movie.folder.file("all.mkv")), settings: settings())
            .export(to: MovieDestination(FilePath(movie.folder.file("part.mov"))))
        #expect(try await movie.frames(of: "part.mov") == Array(31..<50))
    }

    @Test("of Matroska shows exactly its frames too", arguments: ["mp4", "mov"])
    func matroska(_ ending: String) async throws {
        let movie = try await MadeMovie("take.mkv", Self.options)
        var settings = settings()
        settings.verification = .full
        let result = try await movie.export(settings, to: "part.\(ending)")
        #expect(try await movie.frames(of: "part.\(ending)") == Array(31..<50))
        #expect(result.notes.contains { $0.contains("an edit list hides") }, "\(result.notes)")
        #expect((result.duration - 760 * .millisecond).length < 25 * .millisecond, "\(result.duration)")
        let audio = try await FFmpeg.audio(of: movie.folder.file("part.\(ending)"), rate: 48_000)
        let length = Double(audio.count) / 48_000
        #expect(abs(length - 0.76) < 0.045, "\(audio.count)")
    }

    @Test("begins with the key frame before it elsewhere")
    func keyFrame() async throws {
        let movie = try await MadeMovie("take.mp4", Self.options)
        let result = try await movie.export(settings(), to: "part.mkv")
        let frames = try await movie.frames(of: "part.mkv")
        // Every twelfth is one, of which Matroska's index names some; at the end stands what the last frames need.
        #expect([12, 24].contains(frames.first), "\(frames)")
        #expect((49...52).contains(frames.last ?? 0), "\(frames)")
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 + 1 == $1 }, "\(frames)")
        #expect(result.notes.contains { $0.contains("begin with a key frame") }, "\(result.notes)")
        try await FFmpeg.decode(movie.folder.file("part.mkv"))
    }

    @Test("begins exactly where each frame can be decoded by itself, also without an index")
    func intra() async throws {
        let movie = try await MadeMovie("take.avi", "-c:v mjpeg -q:v 3 -c:a libmp3lame")
        _ = try await movie.export(settings(), to: "part.mkv")
        let frames = try await movie.frames(of: "part.mkv")
        #expect(try await frames == movie.frames(from: 1.24, lasting: 0.76))
    }

    @Test("of a file without an index is refused with the cure")
    func transportStream() async throws {
        let movie = try await MadeMovie("take.ts", Self.options)
        let error = await #expect(throws: RushesError.self) { try await movie.export(settings(), to: "part.mkv") }
        #expect(error?.code == .invalidSettings && error?.description.contains("no index") == true)
        #expect(movie.folder.contents == ["take.ts"])
    }

    /// Matroska has no edits; of four frames a second B-frames come long after those that need them.
    @Test("ends in Matroska without a gap, and says what it shows more", arguments: 4...9)
    func endInMatroska(count: Int) async throws {
        let movie = try await MadeMovie(
            "take.mp4",
            "-c:v libx264 -x264-params keyint=24:min-keyint=24:scenecut=0:bframes=3:b-adapt=0:b-pyramid=0 -an",
            seconds: 6, rate: 4)
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: .zero, end: count * MediaTime.second / 4)
        let result = try await movie.export(settings, to: "part.mkv")
        let frames = try await movie.frames(of: "part.mkv")
        // I0 P4 B1 B2 B3 P8 …: up to the next frame that others need.
        let whole = (count - 1 + 3) / 4 * 4 + 1
        #expect(frames == Array(0..<whole), "\(result.notes)")
        let told = result.notes.contains { $0.hasPrefix("Copied frames end with ") }
        #expect(told == (whole > count), "\(result.notes)")
    }
}
