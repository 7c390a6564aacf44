import Errors
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Decoders that fail, and decoders that are not there.
@Suite("A decoder", .serialized, .timeLimit(.minutes(10))) struct DecoderTests {
    @Test(
        "that is hardware and fails is replaced for this export, which says so",
        arguments: ["take.mp4", "take.mkv"])
    func hardware(_ name: String) async throws {
        try #require(FailingDecoder.areRegistered)
        let movie = try await MadeMovie(
            name, "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1, size: FailingDecoder.failingSize)
        for round in 1...2 {
            // Again the next time: what failed once is not given up for all.
            let result = try await movie.export(MadeMovie.settings(), to: "\(round).mp4")
            #expect(result.frames == 25)
            let notes = result.notes.filter { $0.contains(FailingDecoder.failing) }
            #expect(notes.count == 1, "\(result.notes)")
            #expect(notes.first?.hasSuffix("; the processor decoded instead.") == true, "\(notes)")
            #expect(try await movie.frames(of: "\(round).mp4") == Array(0..<25))
        }
    }

    @Test("that is hardware and cannot be opened is passed over")
    func closed() async throws {
        try #require(FailingDecoder.areRegistered)
        let movie = try await MadeMovie(
            "take.mp4", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1, size: FailingDecoder.closedSize)
        #expect(try await movie.export(MadeMovie.settings(), to: "out.mp4").frames == 25)
    }

    @Test("that fails at once does so at once where several parts are asked for", .timeLimit(.minutes(1)))
    func parts() async throws {
        try #require(FailingDecoder.areRegistered)
        let movie = try await MadeMovie(
            "take.mp4", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1, size: FailingDecoder.mutedSize)
        var settings = MadeMovie.settings()
        settings.parts = [TimeRange(start: .zero, end: 200 * .millisecond), TimeRange(start: 400 * .millisecond)]
        let result = try await movie.export(settings, to: "out.mp4")
        #expect(result.notes.contains { $0.contains("the processor decoded instead") }, "\(result.notes)")
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<5) + Array(10..<25))
    }

    @Test("that is missing for the audio costs that track only, and the line names what to install")
    func missing() async throws {
        let movie = try await MadeMovie(
            "take.mp4", "-map 0:v -map 1:a -map 1:a -c:v libx264 -preset ultrafast -c:a aac", seconds: 1)
        try movie.renameCodec("mp4a", to: "ac-4", count: 1)
        // What says that it is AAC all the same, to libavformat.
        try movie.renameCodec("esds", to: "free", count: 1)
        let result = try await movie.export(MadeMovie.settings(), to: "out.mp4")
        #expect(result.frames == 25)
        let notes = result.notes.filter { $0.contains("was left out") }
        #expect(notes.count == 1, "\(result.notes)")
        #expect(notes.first?.hasPrefix("Audio track 1 (") == true && notes.first?.contains("no decoder for it") == true)
        #expect(try await FFProbe.inspect(movie.folder.file("out.mp4")).audio.count == 1)
    }

    @Test("that is missing for all there is ends the export with the cure")
    func nothing() async throws {
        let movie = try await MadeMovie("take.m4a", "-map 1:a -c:a aac", seconds: 1)
        try movie.renameCodec("mp4a", to: "ac-4", count: 1)
        // What says that it is AAC all the same, to libavformat.
        try movie.renameCodec("esds", to: "free", count: 1)
        let error = await #expect(throws: RushesError.self) {
            try await movie.export(MadeMovie.settings(), to: "out.mp4")
        }
        #expect(
            error?.code == .badInput && error?.description.contains("no decoder for its audio") == true,
            "\(error as Any)")
        #expect(movie.folder.contents == ["take.m4a"])
    }

    /// Nothing here writes it: AAC with its audio object type, 36 of ISO/IEC 14496-3 table 1.17, at 44.1 kHz and with one channel.
    @Test("of AAC is not taken for one of MPEG-4 ALS, which is described alike") func lossless() async throws {
        let movie = try await MadeMovie("take.mp4", "-map 1:a -ac 1 -c:a aac", seconds: 1)
        let path = movie.folder.file("take.mp4")
        var bytes = try Data(contentsOf: URL(filePath: path))
        let box = try #require(bytes.range(of: Data("esds".utf8)))
        let place = try #require(
            bytes.range(of: Data([0x05, 0x80, 0x80, 0x80, 0x05]), in: box.upperBound..<bytes.endIndex))
        bytes.replaceSubrange(place.upperBound..<place.upperBound + 3, with: [0xF8, 0x88, 0x20])
        try bytes.write(to: URL(filePath: path))
        #expect(try MovieInfo(contentsOf: FilePath(path)).audio.map(\.codec) == ["mp4als"])
        _ = try await movie.export(ExportSettings(preset: "copy"), to: "out.mp4")
        #expect(try MovieInfo(contentsOf: FilePath(movie.folder.file("out.mp4"))).audio.map(\.codec) == ["mp4als"])
        let error = await #expect(throws: RushesError.self) {
            try await movie.export(ExportSettings(preset: "copy"), to: "out.mkv")
        }
        #expect(error?.code == .badInput || error?.code == .invalidSettings, "\(error as Any)")
        #expect(!movie.folder.contents.contains("out.mkv"))
    }
}

extension MadeMovie {
    /// Changes the four characters by which the first tracks' codec is known, in the index at the end of the file.
    func renameCodec(_ name: String, to new: String, count: Int) throws {
        let url = URL(fileURLWithPath: path)
        var bytes = try Data(contentsOf: url)
        var place = bytes.range(of: Data("stsd".utf8))?.lowerBound ?? bytes.endIndex
        for _ in 0..<count {
            let found = try #require(
                bytes.range(of: Data(name.utf8), in: place..<bytes.endIndex), "no “\(name)” in \(path)")
            bytes.replaceSubrange(found, with: Data(new.utf8))
            place = found.upperBound
        }
        try bytes.write(to: url)
    }
}
