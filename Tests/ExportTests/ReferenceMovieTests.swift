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
        var data = try GrownBox.adding(
            Array(other.utf8) + [0], to: ["moov", "trak", "mdia", "minf", "dinf", "dref", "url "],
            in: Data(contentsOf: path))
        // It no longer says that the samples lie in the same file.
        let flags = try #require(data.firstRange(of: Data("url ".utf8))).upperBound
        data.replaceSubrange(flags..<flags + 4, with: [0, 0, 0, 0])
        try data.write(to: path)
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
