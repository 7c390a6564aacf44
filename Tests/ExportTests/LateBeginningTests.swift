import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Transport streams that begin anywhere in a group: what nothing can decode is counted and told.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LateBeginningTests {
    /// What a receiver takes that is turned on a third of a second after the first key frame.
    private func make(_ options: String) async throws -> (movie: MadeMovie, lateCount: Int) {
        let movie = try await MadeMovie("whole.ts", options)
        let bytes = try Data(contentsOf: URL(filePath: movie.path))
        let packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<$0 + 188] }
        // Where the video's frames begin, behind the tables.
        let begins = packets.indices.filter { index in
            let (packet, at) = (packets[index], packets[index].startIndex)
            return packet[at + 1] & 0x5F == 0x41 && packet[at + 2] == 0
        }
        try Data((packets[..<3] + packets[begins[8]...]).joined()).write(to: URL(filePath: movie.path))
        return (movie, begins.count - 8)
    }

    @Test(
        arguments: [
            "-c:v libx264 -preset ultrafast -bf 0 -g 25 -sc_threshold 0 -an",
            "-c:v libx265 -preset ultrafast -x265-params log-level=none:bframes=0:keyint=25:scenecut=0:repeat-headers=1 -an",
            "-c:v mpeg2video -g 25 -bf 0 -sc_threshold 1000000000 -an",
        ], ["copy.mkv", "encoded.mp4"])
    func `are told of`(options: String, name: String) async throws {
        let (movie, count) = try await make(options)
        let settings = name == "copy.mkv" ? ExportSettings(preset: "copy") : MadeMovie.settings()
        let result = try await movie.export(settings, to: name)
        let shown = try await movie.frames(of: name)
        #expect(shown == Array(25..<75), "\(shown)")
        let words =
            "The \(count - 50) frames before the first key frame need others that the input does not have, and are left out."
        #expect(count == 67 && result.notes.contains(words), "\(result.notes)")
    }

    @Test func `say nothing where the first frame is a key frame`() async throws {
        let movie = try await MadeMovie("whole.ts", "-c:v libx264 -preset ultrafast -g 25 -an")
        let result = try await movie.export(MadeMovie.settings(), to: "out.mp4")
        #expect(!result.notes.contains { $0.contains("key frame") }, "\(result.notes)")
    }
}
