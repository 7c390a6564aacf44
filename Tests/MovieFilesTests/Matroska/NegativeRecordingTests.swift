import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Matroska whose first blocks lie before the time 0, as it is recovered.
@Suite(.requires(tool: "ffmpeg", package: "ffmpeg")) struct NegativeRecordingTests {
    @Test func `what is shown before 0 counts`() async throws {
        let folder = try TemporaryFolder()
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=64x48:rate=25:duration=2 -c:v mpeg4 "
                + "-output_ts_offset -1.5 -avoid_negative_ts disabled \(folder.file("in.mkv"))")
        let movie = try ReadableFile.open(FilePath(folder.file("in.mkv"))) { (file) throws(MovieFileError) in
            try MatroskaScan(file).movie
        }
        #expect(abs(movie.duration.seconds - 2) < 0.05 && movie.tracks.first?.sampleCount == 50, "\(movie)")
    }
}
