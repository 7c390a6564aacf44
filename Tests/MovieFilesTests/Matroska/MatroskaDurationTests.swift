import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MatroskaDurationTests {
    /// Two seconds of audio from the beginning on, and one and a half of video from the second second on: the longest track is not the last.
    @Test(arguments: [(2.5, 2.5), (4.0, 2.0)])
    func `a length that is too short is set right where the blocks bear it out`(expected: Double, wanted: Double)
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file("in.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=2", "-itsoffset", "1", "-f", "lavfi", "-i"]
                + ["testsrc2=size=96x64:rate=20:duration=1.5", "-c:v", "mjpeg", "-c:a", "pcm_s16le", file])
        var bytes = try Data(contentsOf: URL(filePath: file))
        let place = try #require(bytes.range(of: Data([0x44, 0x89, 0x88]))).upperBound
        let told = withUnsafeBytes(of: (2000.0).bitPattern.bigEndian) { Data($0) }
        bytes.replaceSubrange(place..<place + 8, with: told)
        try bytes.write(to: URL(filePath: file))
        let descriptor = try FileDescriptor.open(FilePath(file), .readWrite)
        defer { try? descriptor.close() }
        try MatroskaDuration.correct(missing: 0, to: Int64(expected * 1e9), in: descriptor)
        let length = try await FFProbe.inspect(file).format.duration?.value ?? 0
        #expect(abs(length - wanted) < 0.01)
    }
}
