import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("The limit of the files' size")
struct SizeLimitTests {
    @Test("is kept by a movie with its index, which has the samples that fit", arguments: Recording.all)
    func kept(_ recording: Recording) async throws {
        let stream = try await recording.bytes
        for share in [0.3, 0.55, 0.97, 2] {
            let limit = SizeLimit(Int64(Double(stream.count) * share))
            var options = MovieFileWriter.Options(audioPriming: recording.audioPriming)
            options.sizeLimit = limit
            let url = Scratch.directory.unique(recording.ending)
            let descriptor = try FileDescriptor.open(
                FilePath(url.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
            let writer = MovieFileWriter(descriptor: descriptor, options: options)
            do {
                try writer.append(inRandomPieces: stream, seed: 1)
                #expect(share > 1)
            } catch { #expect(error as? MovieFileError == .sizeReached && share < 1) }
            let finished = try writer.finish()
            try descriptor.close()
            let size = try #require(FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int64)
            #expect(size <= limit.bytes && Int64(finished.fileSize) == size, "\(share)")
            #expect(share > 1 || size > limit.bytes / 2, "\(share): \(size) of \(limit.bytes)")
            #expect(limit.isReached == (share < 1))
            try await Judge.decodesWithoutAWord(url)
            #expect(try MovieInfo(contentsOf: FilePath(url.path)).complete)
        }
    }

    @Test("is one for all files, and what a deleted one had is there for others")
    func shared() throws {
        let limit = SizeLimit(1000)
        let (one, other) = (SizeLimit.Share(limit), SizeLimit.Share(limit))
        try one.grow(to: 600)
        one.keep(100)
        #expect(throws: MovieFileError.sizeReached) { try other.grow(to: 301) }
        #expect(limit.isReached)
        try other.grow(to: 300)
        one.keep(0)
        try one.grow(to: 700)
        one.cut(to: 500)
        try other.grow(to: 500)
        #expect(throws: MovieFileError.sizeReached) { try other.grow(to: 501) }
        limit.giveBack(500)
        try other.grow(to: 1000)
    }

    @Test("is not reached because there is no more room for an index")
    func room() throws {
        let limit = SizeLimit(1000)
        let share = SizeLimit.Share(limit)
        share.keep(1200)
        #expect(!limit.isReached)
        try share.grow(to: 1000)
    }
}
