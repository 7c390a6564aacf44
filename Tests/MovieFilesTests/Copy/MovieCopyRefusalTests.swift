import Errors
import Foundation
import SystemPackage
import Testing

@testable import MovieFiles

@Suite("What a copy cannot be")
struct MovieCopyRefusalTests {
    @Test("audio that MP4 cannot hold is left out, and that is said")
    func leftOut() async throws {
        let original = try await CopyInput.pcm.url()
        let (url, copy) = try MovieCopy.copied(original, .init(fileType: .mp4))
        #expect(copy.omittedTracks.map(\.handler) == ["soun"])
        #expect(
            copy.omittedTracks.map(\.reason) == ["Track 2 is left out: MP4 cannot hold audio as 'in24'."])
        try await Judge.expectSamePackets(url, original, kinds: ["video"])
        #expect(try await Judge.ffprobe(url).audio == nil)
        let (same, _) = try MovieCopy.copied(original, .init())
        try await Judge.expectSamePackets(same, original)
    }

    @Test("so are Opus and FLAC in QuickTime")
    func modern() async throws {
        let original = try await CopyInput.modern.url()
        let (url, copy) = try MovieCopy.copied(original, .init(fileType: .mov))
        #expect(copy.omittedTracks.map(\.format) == ["Opus", "fLaC"])
        try await Judge.expectSamePackets(url, original, kinds: ["video"])
        let (same, _) = try MovieCopy.copied(original, .init())
        try await Judge.expectSamePackets(same, original)
        #expect(try await Judge.audio(same) == Judge.audio(original))
    }

    @Test("a movie of which nothing fits is refused, and no file is left")
    func nothingFits() async throws {
        let original = try await Recording.proRes.written().url
        let url = Scratch.directory.unique("mp4")
        let error = #expect(throws: RushesError.self) {
            try MovieCopy.copy(FilePath(original.path), to: FilePath(url.path), options: .init(fileType: .mp4))
        }
        #expect(
            error?.description.contains("cannot hold 'apch'; choose another kind of file, or encode it again") == true)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("an encrypted movie is refused")
    func encrypted() async throws {
        let original = try await CopyInput(
            description: "", ending: "mp4",
            options: "-c:v libx264 -c:a aac -encryption_scheme cenc-aes-ctr -encryption_key "
                + "76a6c65c5ea762046bd749a2e632ccbb -encryption_kid a7e61c373e219033c21091fa607bf3b8"
        ).url()
        let error = #expect(throws: RushesError.self) { try MovieCopy.copied(original, .init(fileType: .mov)) }
        #expect(error?.description.contains("encrypted") == true)
    }

    @Test("of a movie whose end is missing what is there is copied, and the notes say so")
    func cut() async throws {
        let (front, whole) = try await MovieCopy.copied(try CopyInput.aac.url(), .init(putsIndexFirst: true))
        let cut = Scratch.directory.unique("mp4")
        try Data(contentsOf: front).dropLast(5000).write(to: cut)
        let (url, copy) = try MovieCopy.copied(cut, .init())
        #expect(copy.notes == ["The file is cut off: what its index lists beyond its end is left out."])
        #expect(copy.duration > .zero && copy.duration < whole.duration)
        let info = try MovieInfo(reading: FilePath(url.path))
        #expect(info.complete && info.duration == copy.duration)
        let recovered = Scratch.directory.unique("mp4")
        let report = try MovieRecovery.recover(FilePath(cut.path), to: FilePath(recovered.path))
        // As far as the index lists samples, also where the file has nothing of them.
        let size = UInt64(try Data(contentsOf: front).count)
        #expect(report.losses.last?.end == size && report.losses.allSatisfy { $0.time >= report.duration })
    }

    @Test("a copy that is ended leaves no file", arguments: [false, true])
    func cancelled(_ isLarge: Bool) async throws {
        let original =
            if isLarge {
                try await SyntheticRecording(fragments: 1, frameSize: 2_000_000).written { try $0.finish() }.url
            } else { try await CopyInput.aac.url() }
        let url = Scratch.directory.unique("mp4")
        var told: [UInt64] = []
        let error = #expect(throws: RushesError.self) {
            try MovieCopy.copy(FilePath(original.path), to: FilePath(url.path)) {
                told.append($0)
                return isLarge && told.count < 3
            }
        }
        #expect(error?.code == .cancelled && error?.underlying as? MovieFileError == .cancelled)
        #expect(told.count == (isLarge ? 3 : 1))
        #expect(told == told.sorted())
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("a file of that name stays unless it may be replaced")
    func existing() async throws {
        let original = try await CopyInput.aac.url()
        let url = Scratch.directory.unique("mp4")
        try Data("mine".utf8).write(to: url)
        #expect(throws: RushesError.self) { try MovieCopy.copy(FilePath(original.path), to: FilePath(url.path)) }
        #expect(try Data(contentsOf: url) == Data("mine".utf8))
        try MovieCopy.copy(FilePath(original.path), to: FilePath(url.path), replacing: true)
        try await Judge.expectSamePackets(url, original)
    }
}
