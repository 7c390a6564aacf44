import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// What Windows Media says of itself, in what is made of it; judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct WindowsMediaTagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ options: [String]) async throws {
        let tags = ["title=Títle", "artist=Ann", "genre=Ska", "comment=loud", "copyright=us"]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=duration=1", "-f", "lavfi", "-i"]
                + ["color=red:size=64x64:duration=0.04"] + options + tags.flatMap { ["-metadata", $0] }
                + [folder.file(name)])
    }

    private func report(_ name: String) async throws -> MusicReport {
        try await MusicReport.inspect(folder.file(name))
    }

    private func export(_ input: String, to output: String) async throws -> [String] {
        try await ExportSession(input: FilePath(folder.file(input)), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(folder.file(output)))).notes
    }

    @Test func `Windows Media has its genre`() async throws {
        try await make("in.wma", ["-map", "0", "-c:a", "wmav2"])
        _ = try await export("in.wma", to: "out.m4a")
        let told = try await report("out.m4a").tags
        #expect(told["genre"] == "Ska" && told["artist"] == "Ann" && told["title"] == "Títle", "\(told)")
        #expect(told["comment"] == "loud" && told["copyright"] == "us", "\(told)")
    }

    @Test func `the images of Windows Media are its covers, or told where they cannot be`() async throws {
        try await make("in.wma", ["-map", "0", "-c:a", "wmav2"])
        for (name, options) in [("a.gif", []), ("a.png", []), ("a.jpg", ["-q:v", "2"])] {
            try await make(name, ["-map", "1", "-frames:v", "1"] + options)
        }
        let images = try ["a.gif", "a.png", "a.jpg"].map { try Data(contentsOf: URL(filePath: folder.file($0))) }
        try add(images, to: "in.wma", as: "covers.wma")
        let notes = try await export("covers.wma", to: "out.m4a")
        #expect(try await report("out.m4a").covers == ["png", "mjpeg"])
        #expect(notes.contains { $0.hasPrefix("Left out: cover") }, "\(notes)")
    }

    @Test func `all artists of Windows Media are kept`() async throws {
        try await make("in.wma", ["-map", "0", "-c:a", "wmav2"])
        try add(["Ben\0", "Ann\0"].map(letters), named: "Author", kind: 0, to: "in.wma", as: "two.wma")
        _ = try await export("two.wma", to: "out.m4a")
        #expect(try await report("out.m4a").tags["artist"] == "Ann;Ben")
    }

    private func add(_ images: [Data], to name: String, as new: String) throws {
        // A front cover.
        let covers = images.map { Data([3]) + little($0.count, 4) + letters("image/x\0\0") + $0 }
        try add(covers, named: "WM/Picture", kind: 1, to: name, as: new)
    }

    private func little(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(value >> (8 * $0) & 0xFF) })
    }

    private func letters(_ text: String) -> Data { Data(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) }

    /// Puts values into the extended content description, behind its texts (Advanced Systems Format, 3.11).
    private func add(
        _ contents: [Data], named attribute: String, kind: Int, to name: String, as new: String
    ) throws {
        let attributeName = letters(attribute + "\0")
        let values = contents.reduce(into: Data()) { values, value in
            values += little(attributeName.count, 2) + attributeName
            values += little(kind, 2) + little(value.count, 2) + value
        }
        var bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
        func add(_ value: Int, at place: Int, _ count: Int) {
            let old = bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
            bytes.replaceSubrange(place..<place + count, with: little(old + value, count))
        }
        let identifier = Data([
            0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50,
        ])
        let object = try #require(bytes.range(of: identifier)).lowerBound
        let size = bytes[object + 16..<object + 24].reversed().reduce(0) { $0 << 8 | Int($1) }
        bytes.insert(contentsOf: values, at: object + size)
        add(values.count, at: object + 16, 8)
        add(contents.count, at: object + 24, 2)
        add(values.count, at: 16, 8)
        try bytes.write(to: URL(filePath: folder.file(new)))
    }
}
