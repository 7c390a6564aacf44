import Export
import Foundation
import TestSupport
import Testing

/// Video that calls its clock's rate that of its frames; judged by ffprobe.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ClockRateTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("each frame keeps its time", arguments: ["out.mp4", "out.mov", "out.mkv"])
    func copied(name: String) async throws {
        try await make("in.ts", "\(Self.fast) -bf 0 -bsf:v h264_metadata=tick_rate=1411200000 -c:a aac")
        _ = try await export("in.ts", to: name, "copy")
        let times = try await FFProbe.packets("v:0", of: folder.file(name)).compactMap(\.ptsTime?.value)
        #expect(times.count == 90)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 30) < 0.0012 }, "\(times.prefix(8))")
    }
}
