import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Audio whose priming is told as iTunes does, and not by an edit; judged by ffmpeg's decoder.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct GaplessAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func samples(_ name: String) async throws -> [Float] {
        try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:a", "-f", "f32le", "-"]
        ).output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Takes the edits of a movie away, whose index is its last box, and tells the same in an item.
    private func tell(_ text: String, of name: String, in output: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.file(name))))
        var boxes = try Box.boxes(in: bytes[...], at: 0).boxes
        let place = try #require(boxes.lastIndex { $0.type == "moov" })
        try #require(place == boxes.count - 1)
        try boxes[place].editAll("trak") { (trak: inout Box) in trak.removeChildren { $0.type == "edts" } }
        var list = try ItemList.item("----", text: text)
        let names = [("mean", "com.apple.iTunes"), ("name", "iTunSMPB")]
        let payload = try names.flatMap { type, text in
            try Box(full: FourCC(type)) { (writer: inout ByteWriter) in writer.append(contentsOf: text.utf8) }
                .serialized()
        }
        list.payload = (payload + list.payload)[...]
        var meta = try MetaBox(handler: "mdir", manufacturer: "appl", isFull: true)
        meta["ilst"] = ItemList(items: [list]).box
        boxes[place].setUserData(Box("udta", children: [try meta.box()]))
        let written = try boxes.flatMap { try $0.serialized() }
        try Data(written).write(to: URL(filePath: folder.file(output)))
    }

    @Test func `it is heard as long as the item tells`() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "anoisesrc=duration=2:sample_rate=48000:color=pink:seed=1",
            ]
                + ["-c:a", "aac", "-aac_pns", "0", folder.file("edited.m4a")])
        // 1024 samples, 256 and 96,000.
        try tell(" 00000000 00000400 00000100 0000000000017700", of: "edited.m4a", in: "told.m4a")
        #expect(try MovieInfo(contentsOf: FilePath(folder.file("told.m4a"))).duration.seconds == 2)
        try MovieCopy.copy(
            FilePath(folder.file("told.m4a")), to: FilePath(folder.file("copy.mov")), options: .init(fileType: .mov))
        let (wanted, found) = (try await samples("edited.m4a"), try await samples("copy.mov"))
        #expect(found == wanted && wanted.count < 97_000)
        // What no audio of this length can have is not believed.
        try tell(" 00000000 00000400 00000100 0000000000027700", of: "edited.m4a", in: "wrong.m4a")
        #expect(try MovieInfo(contentsOf: FilePath(folder.file("wrong.m4a"))).duration.seconds > 2.02)
    }

    /// What has been mended fails here, as in `WorkaroundTests`.
    @Test func `GStreamer does not know how iTunes tells it`() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000", "-c:a", "aac"]
                + [folder.file("edited.m4a")])
        // 1024 samples, 128 and 48,000.
        try tell(" 00000000 00000400 00000080 000000000000BB80", of: "edited.m4a", in: "told.m4a")
        let line =
            "filesrc location=\(folder.file("told.m4a")) ! qtdemux ! aacparse ! avdec_aac ! audioconvert ! "
            + "audio/x-raw,format=S16LE ! filesink location=\(folder.file("raw"))"
        _ = try await Tool.succeed("gst-launch-1.0", ["--quiet"] + line.split(separator: " ").map(String.init))
        #expect(try Data(contentsOf: URL(filePath: folder.file("raw"))).count > 2 * 48_000)
    }
}
