import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Tags that GStreamer's demuxers lose, or that it does not read, are in the output, or told.
@Suite(.timeLimit(.minutes(3)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct KeptTagTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tags(_ name: String) async throws -> [String: String] {
        try await MusicReport.inspect(folder.file(name)).tags
    }

    @Test func `the old tag behind Musepack is kept`() async throws {
        var bytes = try Data(contentsOf: URL(filePath: Checkout.media("sweep.mpc")))
        func field(_ text: String, _ size: Int) -> [UInt8] {
            Array(text.unicodeScalars.map { UInt8($0.value) } + Array(repeating: 0, count: size).dropFirst(text.count))
        }
        bytes += Array("TAG".utf8) + field("Müller", 30) + field("Ann", 30) + field("Disc", 30) + field("1999", 4)
        bytes += field("loud", 28) + [0, 7, 3]
        try bytes.write(to: URL(filePath: folder.file("in.mpc")))
        _ = try await export("in.mpc", to: "out.flac")
        let told = try await tags("out.flac")
        #expect(told["title"] == "Müller" && told["artist"] == "Ann" && told["album"] == "Disc", "\(told)")
        #expect(told["genre"] == "Dance" && told["comment"] == "loud" && told["track"] == "7", "\(told)")
    }

    @Test func `both comments of Windows Media are kept`() async throws {
        try await make("in.wma", "-map 1:a -t 1 -c:a wmav2 -metadata comment=first -metadata WM/Comments=second")
        _ = try await export("in.wma", to: "out.m4a")
        let comment = try await tags("out.m4a")["comment"]
        #expect(comment == "first\nsecond")
    }

    @Test func `RealMedia's tags are in the letters of Windows`() async throws {
        try await make("in.rm", "-map 1:a -t 1 -c:a ac3 -metadata copyright=X1998 -metadata author=Ann")
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.rm")))
        let place = try #require(bytes.firstRange(of: Data("X1998".utf8))).lowerBound
        bytes[place] = 0xA9
        try bytes.write(to: URL(filePath: folder.file("in.rm")))
        _ = try await export("in.rm", to: "out.m4a")
        let told = try await tags("out.m4a")
        #expect(told["copyright"] == "©1998" && told["artist"] == "Ann", "\(told)")
    }

    @Test(arguments: [("", false), ("The back", true)])
    func `what a cover of Ogg is called is told`(description: String, isTold: Bool) async throws {
        try await make("cover.jpg", "-map 0:v -frames:v 1 -s 16x16 -q:v 9")
        let image = try Data(contentsOf: URL(filePath: folder.file("cover.jpg")))
        func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian, Array.init) }
        func text(_ text: String) -> [UInt8] { number(text.utf8.count) + Array(text.utf8) }
        let sizes = (0..<4).flatMap { _ in number(0) }
        let block = Data(number(3) + text("image/jpeg") + text(description) + sizes + number(image.count)) + image
        try await make("song.ogg", "-map 1:a -t 1 -c:a libvorbis")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("song.ogg"), "-c", "copy", "-metadata:s:a"]
                + ["METADATA_BLOCK_PICTURE=\(block.base64EncodedString())", folder.file("in.ogg")])
        let notes = try await export("in.ogg", to: "out.m4a").notes
        #expect(notes.contains { $0.contains("description of its cover") } == isTold, "\(notes)")
        #expect(try await MusicReport.inspect(folder.file("out.m4a")).covers == ["mjpeg"], "\(notes)")
    }
}
