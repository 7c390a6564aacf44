import Foundation
import LiveActivity
import TestSupport
import Testing

@testable import ActivityPage

@Suite struct FileTests {
    private let folder: TemporaryFolder
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ data: Data) throws -> String {
        try data.write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
    }

    @Test func `frames are thumbnails`() throws {
        let cases: [([UInt8], String)] = [
            (Array(png), "image/png"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            (Array("RIFF1234WEBPVP8 ".utf8), "image/webp"),
        ]
        for (bytes, type) in cases {
            let frame = try #require(Thumbnail(path: write("image", Data(bytes))))
            #expect(frame.contentType == type)
            #expect(frame.data == Data(bytes))
        }
    }

    @Test func `nothing else is, whatever name it has`() throws {
        let secret = try write("secret.png", Data("root:x:0:0".utf8))
        let vector = try write("a.svg", Data("<svg onload='alert(1)'/>".utf8))
        let real = try write("real.png", png)
        let large = try write("large.png", png + Data(count: Thumbnail.byteLimit))
        try FileManager.default.createSymbolicLink(atPath: folder.file("link.png"), withDestinationPath: real)
        mkfifo(folder.file("pipe.png"), 0o600)
        for path in [
            secret, vector, large, folder.file("link.png"), folder.file("pipe.png"), folder.path, "real.png", "",
        ] {
            #expect(Thumbnail(path: path) == nil, "\(path)")
        }
    }

    @Test func `a result is a movie of an activity that ended well`() throws {
        let movie = try write("take.mov", Data("movie".utf8))
        let other = try write("id_rsa", Data("key".utf8))
        let export = Export("one")
        #expect(ResultFile(export.update(3) { $0.output = movie }) == nil)
        #expect(ResultFile(export.end { $0.output = movie })?.contentType == "video/quicktime")
        #expect(ResultFile(export.end { $0.output = URL(filePath: movie).absoluteString }) != nil)
        #expect(ResultFile(export.end(.failed) { $0.output = movie }) == nil)
        #expect(ResultFile(export.end { $0.output = other }) == nil)
        #expect(ResultFile(export.end { $0.output = folder.file("none.mov") }) == nil)
        #expect(ResultFile(export.end { $0.output = "take.mov" }) == nil)
    }

    @Test func `the page has a link to all that is served`() throws {
        let card = String(decoding: PackageResources.card_js, as: UTF8.self)
        let known = try #require(card.firstMatch(of: /isServed = \/\\\.\(([a-z0-9|]+)\)/)).1.split(separator: "|").map(
            String.init)
        #expect(known.sorted() == ResultFile.contentTypes.keys.sorted())
    }
}
