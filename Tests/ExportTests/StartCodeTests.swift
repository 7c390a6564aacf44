import Encoding
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// MP4 whose frames hold start codes where the lengths of their units belong, which GStreamer loses frames of, or reads nothing of.
@Suite(.timeLimit(.minutes(2)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct StartCodeTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter record: what is emptied of the decoder's configuration, as writers leave it that have nothing to put there.
    private func makeInput(_ codec: String, emptied record: String?) async throws {
        try await make("lengths.mp4", "-map 0:v \(codec)")
        var bytes = Array(try Data(contentsOf: URL(filePath: folder.file("lengths.mp4"))))
        func place(_ text: String) throws -> Int {
            try #require(Data(bytes).firstRange(of: Data(text.utf8))).lowerBound
        }
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let media = try place("mdat")
        let end = media - 4 + number(media - 4)
        var unit = media + 4
        while unit < end {
            let length = number(unit)
            bytes.replaceSubrange(unit..<unit + 4, with: [0, 0, 0, 1])
            unit += 4 + length
        }
        #expect(unit == end)
        if let record {
            // A box of its head alone, and one that nobody reads.
            let begin = try place(record) - 4
            let rest = UInt32(number(begin) - 8)
            bytes.replaceSubrange(begin..<begin + 4, with: [0, 0, 0, 8])
            bytes.replaceSubrange(
                begin + 8..<begin + 16, with: withUnsafeBytes(of: rest.bigEndian, Array.init) + Array("free".utf8))
        }
        try Data(bytes).write(to: URL(filePath: folder.file("in.mp4")))
    }

    @Test(arguments: [
        ("-c:v libx264 -preset ultrafast -x264-params repeat-headers=1", "avcC"),
        ("-c:v libx264 -x264-params repeat-headers=1:bframes=2", nil),
        ("-c:v libx265 -preset ultrafast -x265-params repeat-headers=1:log-level=none", "hvcC"),
    ]) func `each frame comes out`(codec: String, emptied: String?) async throws {
        try await makeInput(codec, emptied: emptied)
        let info = try MovieInfo(contentsOf: FilePath(folder.file("in.mp4")))
        #expect(info.video.map(\.frameCount) == [90])
        let result = try await export("in.mp4", to: "out.mp4")
        let frames = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", folder.file("out.mp4"), "-f", "framecrc", "-"])
        #expect(frames.text.split(separator: "\n").count { !$0.hasPrefix("#") } == 90, "\(result.notes)")
        let still = MovieDestination(FilePath(folder.file("still.png")))
        try await ImageGenerator(of: FilePath(folder.file("in.mp4"))).write([(.zero, still)], within: nil) { _ in }
    }
}
