import EditProjects
import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Composition
@testable import Export

/// What a composition has lost of its movies is told, whoever's audio it has.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ComposeLossTests {
    private static let h264 = "-c:v libx264 -preset ultrafast"

    private func compose(
        _ main: MadeMovie, _ inset: MadeMovie, _ audio: MovieComposition.AudioOrigin
    ) async throws -> ExportResult {
        var composition = MovieComposition(
            main: FilePath(main.path), insets: [FilePath(inset.path)],
            steps: [
                .init(
                    time: .zero, choice: .init(layout: try Layout("stacked"), order: [0, 1], transition: .zero))
            ])
        (composition.alignment, composition.audio) = (.offset(.zero), audio)
        return try await ExportSession(composition, settings: MadeMovie.settings(), center: nil)
            .export(to: MovieDestination(FilePath(main.folder.file("out.mp4")), replacesExisting: true))
    }

    @Test func `frames of the main movie that its decoder leaves out are counted`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v mjpeg -c:a pcm_s16le", seconds: 1)
        let packets = try await FFProbe.packets("v:0", of: main.path)
        var bytes = try Data(contentsOf: URL(filePath: main.path))
        for index in [7, 15] {
            let (place, size) = (try #require(packets[index].pos?.value), try #require(packets[index].size?.value))
            bytes.resetBytes(in: Int(place)..<Int(place + size))
        }
        try bytes.write(to: URL(filePath: main.path))
        let inset = try await MadeMovie("inset.mov", "\(Self.h264) -c:a aac", seconds: 1)
        for audio in [MovieComposition.AudioOrigin.movie(0), .movie(1), .mixed] {
            let result = try await compose(main, inset, audio)
            #expect(
                result.notes.count { $0.hasPrefix("2 of the input's 25 frames are missing") } == 1,
                "\(audio): \(result.notes)")
        }
    }

    @Test func `audio that is mixed and cannot be decoded, and tracks behind the first, are told`() async throws {
        let main = try await MadeMovie("main.mov", "-map 0:v -map 1:a -map 1:a \(Self.h264) -c:a aac", seconds: 1)
        let inset = try await MadeMovie("inset.mp4", "\(Self.h264) -c:a aac", seconds: 1)
        try inset.renameCodec("mp4a", to: "ac-4", count: 1)
        let result = try await compose(main, inset, .mixed)
        #expect(
            result.notes.contains("Of the 2 audio tracks of main.mov the first alone is mixed."), "\(result.notes)")
        #expect(
            result.notes.contains {
                $0.hasPrefix("inset.mp4: Audio track 1 (") && $0.contains("no decoder for it is installed")
            }, "\(result.notes)")
        #expect(try await FFProbe.inspect(main.folder.file("out.mp4")).audio.count == 1)
    }

    @Test func `subtitles are told as they are in no other movie, and channels that nothing has`() async throws {
        let main = try await MadeMovie("main.mov", "\(Self.h264) -c:a aac", seconds: 1)
        let inset = try await MadeMovie("inset.mp4", "\(Self.h264) -an", seconds: 1)
        let text = main.folder.file("text.srt")
        try Data("1\n00:00:00,200 --> 00:00:00,800\nOne\n\n".utf8).write(to: URL(filePath: text))
        for (movie, codec) in [(main, "mov_text"), (inset, "mov_text")] {
            let named = movie.path.replacing("/main.", with: "/named.").replacing("/inset.", with: "/named.")
            try FileManager.default.moveItem(atPath: movie.path, toPath: named)
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", named, "-i", text, "-i", text, "-map", "0", "-map", "1"]
                    + (movie.path == main.path ? ["-map", "2"] : []) + ["-c", "copy", "-c:s", codec, movie.path])
        }
        let result = try await compose(main, inset, .movie(0))
        #expect(result.notes.contains("The 2 subtitle tracks of main.mov were left out."), "\(result.notes)")
        #expect(result.notes.contains("The subtitles of inset.mp4 were left out."), "\(result.notes)")
        let report = try await FFProbe.inspect(main.folder.file("out.mp4"))
        #expect(report.video.count == 1 && report.audio.count == 1)
        var settings = MadeMovie.settings()
        settings.channels = 1
        let mute = try await inset.export(settings, to: "mute.mp4")
        #expect(mute.notes.contains("There is no audio whose channels could be changed."), "\(mute.notes)")
    }

    @Test func `audio that is asked for by its movie and is not there is refused`() async throws {
        let main = try await MadeMovie("main.mov", "\(Self.h264) -c:a aac", seconds: 1)
        let mute = try await MadeMovie("mute.mov", "\(Self.h264) -an", seconds: 1)
        let inset = try await MadeMovie("inset.mp4", "\(Self.h264) -c:a aac", seconds: 1)
        try inset.renameCodec("mp4a", to: "ac-4", count: 1)
        let error = await #expect(throws: RushesError.self) { try await compose(main, mute, .movie(1)) }
        let words = "mute.mov has no audio that can be decoded here"
        #expect(error?.code == .badInput && error?.description.contains(words) == true, "\(error as Any)")
        #expect(main.folder.contents == ["main.mov"])
        // What GStreamer has no decoder for by its name ffmpeg's libraries know by what is in it.
        _ = try await compose(main, inset, .movie(1))
        #expect(try await FFProbe.inspect(main.folder.file("out.mp4")).audio.count == 1)
    }
}
