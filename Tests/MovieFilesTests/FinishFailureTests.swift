import Foundation
import SystemPackage
import Testing

@testable import MovieFiles

@Suite("When the disk fails, a movie")
struct FinishFailureTests {
    @Test("plays whichever step of finishing it fails", arguments: Recording.all)
    func everyStep(_ recording: Recording) throws {
        // The last is the sync after the flip, the first the write of the index; a fifth one is never taken.
        for steps in 0...4 {
            let (url, result) = try recording.written { file, _ in file.steps = steps }
            #expect((try? result.get()) != nil || steps < 4)
            try expectPlays(url, "after step \(steps)")
        }
    }

    @Test("plays with any part of its index written", arguments: [Recording.h264, .proRes])
    func halfAnIndex(_ recording: Recording) throws {
        for space in [0, 1, 7, 8, 15, 16, 500, 1500] {
            let (url, result) = try recording.written { file, _ in
                file.space = space
                // Not even the removal of the half index succeeds.
                file.steps = 1
            }
            #expect(throws: MovieFileError.noSpace(operation: "writing the movie")) { try result.get() }
            try expectPlays(url, "with \(space) bytes of index")
        }
    }

    @Test("gives the space of half an index back", arguments: [Recording.h264])
    func indexIsRemoved(_ recording: Recording) throws {
        let (url, result) = try recording.written { file, _ in file.space = 100 }
        #expect(throws: MovieFileError.self) { try result.get() }
        let fragments = try recording.written(
            MovieFileWriter.Options(orientation: MovieOrientation(rotation: .half), soundPriming: 1024),
            finishing: false)
        #expect(try Data(contentsOf: url) == Data(contentsOf: fragments.url))
    }

    @Test("holds every whole sample when the disk was full while it was recorded", arguments: Recording.all)
    func fullWhileRecording(_ recording: Recording) throws {
        let size = try recording.bytes.count
        for share in [0.3, 0.55, 0.8, 0.97] {
            let (url, result) = try recording.written(
                into: { file, _ in file.space = .max }, space: Int(Double(size) * share))
            let finished = try result.get()
            #expect(finished.duration > 0)
            try expectPlays(url, "at \(share)")
            let info = try MovieInfo(contentsOf: FilePath(url.path))
            #expect(info.complete)
            #expect(info.fragmented == false)
        }
    }

    @Test("takes nothing more after a write has failed, and repeats why")
    func staysFailed() throws {
        let (_, result) = try Recording.h264.written(
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

    private func expectPlays(_ url: URL, _ comment: Comment) throws {
        // Before the flip there are two indexes; the first one counts.
        try Judge.decodesWithoutAWord(url, comment, excused: "Found duplicated MOOV Atom. Skipped it")
        let probe = try Judge.ffprobe(url)
        #expect(probe.video?.clockwiseRotation == 180, comment)
        #expect(probe.streams.count == 2, comment)
    }
}
