import Encoding
import Errors
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Codecs that Matroska holds and no muxer here writes, from one Matroska file to another.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MatroskaAloneTests {
    /// Of each packet that ffmpeg reads: its time and a hash of its bytes.
    private func packets(_ stream: String, _ path: String) async throws -> [[Substring]] {
        try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", path, "-map", "0:\(stream)", "-c", "copy", "-f", "framemd5", "-"]
        ).text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { line in
                let fields = line.split(separator: ",")
                return [fields[2], fields[4], fields[5]]
            }
    }

    /// What ffmpeg decodes of all streams, and what it complains of.
    private func decoded(_ path: String) async throws -> [String] {
        let result = try await Tool.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-map", "0", "-c:v", "rawvideo", "-f", "hash", "-"])
        return [result.text, result.errors]
    }

    @Test(
        arguments: Cases.taken(
            of: [
                "-c:v libx264 -bf 2 -c:a truehd -strict -2", "-an -c:v ffv1 -level 3", "-c:v ffv1 -level 3 -c:a flac",
                "-c:v ffv1 -level 3 -c:a pcm_s16le", "-vn -c:a wavpack", "-c:v libx264 -bf 2 -c:a tta",
                "-c:v mpeg2video -bf 2 -c:a truehd -strict -2", "-vn -c:a truehd -strict -2",
            ], most: 4))
    func `packets are copied as they are, at their times, with what their decoders need`(options: String) async throws {
        let movie = try await MadeMovie("in.mkv", options, seconds: 2)
        let result = try await movie.export(ExportSettings(preset: "copy"), to: "out.mkv")
        #expect(result.notes == ["All tracks are copied as they are."], "\(result.notes)")
        let output = movie.folder.file("out.mkv")
        let (old, new) = try await (FFProbe.inspect(movie.path), FFProbe.inspect(output))
        #expect(new.streams.map(\.codecName) == old.streams.map(\.codecName))
        for (index, stream) in old.streams.enumerated() {
            let kind = stream.codecType == "video" ? "v" : "a"
            let (wanted, given) = try await (packets(kind, movie.path), packets(kind, output))
            #expect(wanted.map { $0[2] } == given.map { $0[2] }, "\(index)")
            let milliseconds = { (packet: [Substring]) in Double(packet[0].filter { $0 != " " }) ?? -1 }
            #expect(zip(wanted, given).allSatisfy { abs(milliseconds($0) - milliseconds($1)) < 1.5 }, "\(index)")
        }
        #expect(try await decoded(output) == (try await decoded(movie.path)))
        if old.video.count == 1 { #expect(try await movie.frames(of: "out.mkv") == Array(0..<50)) }
    }

    @Test func `other containers refuse them as before`() async throws {
        let movie = try await MadeMovie("in.mkv", "-c:v libx264 -c:a truehd -strict -2", seconds: 1)
        for name in ["out.webm", "out.mp4"] {
            await #expect(throws: RushesError.self) {
                _ = try await movie.export(ExportSettings(preset: "copy"), to: name)
            }
        }
        #expect(movie.folder.contents == ["in.mkv"])
    }
}
