import Errors
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// QuickTime movies whose frames and audio lie in other files.
@Suite(.timeLimit(.minutes(2)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ReferenceMovieTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Names another file as that of the only track's samples.
    private func refer(_ name: String, to other: String) throws {
        let path = URL(filePath: folder.file(name))
        var bytes = [UInt8](try Data(contentsOf: path))
        let location = Array(other.utf8) + [0]
        for box in ["moov", "trak", "mdia", "minf", "dinf", "dref", "url "] {
            let place = try #require(bytes.firstRange(of: Array(box.utf8)), "\(box)").lowerBound
            let size = bytes[place - 4..<place].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } + UInt32(location.count)
            withUnsafeBytes(of: size.bigEndian) { bytes.replaceSubrange(place - 4..<place, with: $0) }
        }
        let entry = try #require(bytes.firstRange(of: Array("url ".utf8))).upperBound
        bytes.replaceSubrange(entry..<entry + 4, with: [0, 0, 0, 0] + location)
        try Data(bytes).write(to: path)
    }

    @Test func `one is called so, and not cut off`() async throws {
        try await make("in.mp4", "-map 0:v -t 1 \(Self.fast)")
        #expect(try !ReferenceMovie.isOne(FilePath(folder.file("in.mp4"))))
        try refer("in.mp4", to: "other.mp4")
        #expect(try ReferenceMovie.isOne(FilePath(folder.file("in.mp4"))))
        let error = await #expect(throws: RushesError.self) { _ = try await export("in.mp4") }
        #expect(error?.description.contains("refers to other files") == true, "\(String(describing: error))")
    }
}
