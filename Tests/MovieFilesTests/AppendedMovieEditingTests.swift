import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Of files that have another movie behind the one that players show, as `cat one.mp4 other.mp4` makes them.
@Suite("Editing a movie that another one lies behind", .timeLimit(.minutes(10)))
struct AppendedMovieEditingTests {
    private func appended() async throws -> (url: URL, one: URL, other: URL) {
        let (one, other) = (try await Recording.h264.written().url, try await Recording.proRes.written().url)
        let url = Scratch.directory.unique("mov")
        try (Data(contentsOf: one) + Data(contentsOf: other)).write(to: url)
        return (url, one, other)
    }

    @Test("is refused where the other one would be played, and leaves the file as it is")
    func tag() async throws {
        let (url, one, _) = try await appended()
        let before = try Data(contentsOf: url)
        let end = try Data(contentsOf: one).count
        let error = #expect(throws: RushesError.self) {
            try MovieEditing.setMetadata(MovieMetadata(title: "T"), chapters: nil, ofMovieAt: FilePath(url.path))
        }
        #expect(error?.description.contains("from byte \(end) on") == true, "\(String(describing: error))")
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("turns the one that is played")
    func rotate() async throws {
        let (url, one, _) = try await appended()
        try MovieEditing.setOrientation(MovieOrientation(rotation: .quarter), ofMovieAt: FilePath(url.path))
        #expect(try await Judge.ffprobe(url).video?.clockwiseRotation == 90)
        #expect(try await Judge.packets(url, "v") == Judge.packets(one, "v"))
    }

    @Test("is no matter where the index behind it is a copy, which a killed program left")
    func copy() async throws {
        let url = try await Recording.h264.written().url
        let packets = try await Judge.packets(url, "v")
        let file = try Data(contentsOf: url)
        let layout = try ReadableFile.open(FilePath(url.path)) { (file) throws(MovieFileError) in try MovieLayout(file)
        }
        try (file + file[Int(layout.moov.offset)..<Int(layout.moov.end)]).write(to: url)
        try MovieEditing.setMetadata(MovieMetadata(title: "T"), chapters: nil, ofMovieAt: FilePath(url.path))
        #expect(try await Judge.packets(url, "v") == packets)
    }
}
