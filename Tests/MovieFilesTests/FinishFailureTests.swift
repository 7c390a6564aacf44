import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("When the disk fails, a movie")
struct FinishFailureTests {
    @Test("plays whichever step of finishing it fails", arguments: Recording.all)
    func everyStep(_ recording: Recording) async throws {
        // The last is the sync after the flip, the first the write of the index; a fifth one is never taken.
        var movies: [(url: URL, comment: Comment)] = []
        for steps in 0...4 {
            let (url, result) = try await recording.written { file, _ in file.steps = steps }
            #expect((try? result.get()) != nil || steps < 4)
            movies.append((url, "after step \(steps)"))
        }
        try await expectPlay(movies)
    }

    @Test("plays with any part of its index written", arguments: [Recording.h264, .proRes])
    func halfAnIndex(_ recording: Recording) async throws {
        var movies: [(url: URL, comment: Comment)] = []
        for space in [0, 1, 7, 8, 15, 16, 500, 1500] {
            let (url, result) = try await recording.written { file, _ in
                file.space = space
                // Not even the removal of the half index succeeds.
                file.steps = 1
            }
            #expect(throws: MovieFileError.noSpace(operation: "writing the movie")) { try result.get() }
            movies.append((url, "with \(space) bytes of index"))
        }
        try await expectPlay(movies)
    }

    @Test("gives its last samples up for the index", arguments: Recording.all)
    func lastSamplesGiveWay(_ recording: Recording) async throws {
        let whole = try await #require(try recording.written().finished)
        var movies: [(url: URL, comment: Comment)] = []
        for space in [0, 100, whole.indexSize - 1] {
            let (url, result) = try await recording.written { file, _ in
                file.space = space
            }
            let finished = try result.get()
            // The index, and the blocks beside it; a packet and a frame that are cut are gone as a whole.
            #expect(Int(whole.fileSize) - Int(finished.fileSize) < whole.indexSize + 20_000)
            #expect(finished.duration.seconds > whole.duration.seconds * 0.5)
            movies.append((url, "with \(space) bytes left"))
            let info = try MovieInfo(contentsOf: FilePath(url.path))
            #expect(info.complete && !info.fragmented)
        }
        try await expectPlay(movies)
    }

    @Test("stays in fragments where no room can be made, and they play", arguments: [Recording.proRes])
    func noRoomAtAll(_ recording: Recording) async throws {
        let (url, result) = try await recording.written { file, _ in
            file.space = 100
            file.givesSpaceBack = false
        }
        #expect(throws: MovieFileError.noSpace(operation: "writing the movie")) { try result.get() }
        // It ends where a movie that was cut does: in the middle of a packet.
        #expect(try await Tool.run("ffmpeg", ["-v", "error", "-i", url.path, "-f", "null", "-"]).status == 0)
        #expect(try MovieInfo(contentsOf: FilePath(url.path)).fragmented)
    }

    @Test("holds every whole sample when the disk was full while it was recorded", arguments: Recording.all)
    func fullWhileRecording(_ recording: Recording) async throws {
        let size = try await recording.bytes.count
        var movies: [(url: URL, comment: Comment)] = []
        for share in [0.3, 0.55, 0.8, 0.97] {
            let (url, result) = try await recording.written(
                into: { file, _ in file.space = .max }, space: Int(Double(size) * share))
            let finished = try result.get()
            #expect(finished.duration > 0)
            movies.append((url, "at \(share)"))
            let info = try MovieInfo(contentsOf: FilePath(url.path))
            #expect(info.complete)
            #expect(info.fragmented == false)
        }
        try await expectPlay(movies)
    }

    @Test("takes nothing more after a write has failed, and repeats why")
    func staysFailed() async throws {
        let (_, result) = try await Recording.h264.written(
            into: { file, writer in
                file.space = .max
                #expect(throws: MovieFileError.noSpace(operation: "writing the movie")) {
                    try writer.append(inRandomPieces: [0, 0, 0, 8], seed: 1)
                }
            }, space: 40_000)
        #expect((try? result.get()) != nil)
    }

    @Test("refuses a file that is open for appending, where no byte would go where it belongs")
    func appending() throws {
        let url = Scratch.directory.unique("mp4")
        let descriptor = try FileDescriptor.open(
            FilePath(url.path), .readWrite, options: [.create, .append], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        let writer = MovieFileWriter(descriptor: descriptor)
        #expect(throws: MovieFileError.self) { try writer.append(inRandomPieces: [0, 0, 0, 8], seed: 1) }
        #expect(try Data(contentsOf: url).isEmpty)
    }

    private func expectPlay(_ movies: [(url: URL, comment: Comment)]) async throws {
        // Before the flip there are two indexes; the first one counts.
        try await Judge.decodeWithoutAWord(movies, excused: "Found duplicated MOOV Atom. Skipped it")
        for (url, comment) in movies {
            let probe = try await Judge.ffprobe(url)
            #expect(probe.video?.clockwiseRotation == 180, comment)
            #expect(probe.streams.count == 2, comment)
        }
    }
}
