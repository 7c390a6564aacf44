import TestSupport
import Testing

/// A recording that ends while its encoder still has almost all of it.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "cc", package: "gcc libc6-dev")) struct ShortRecordingTests {
    @Test func `an encoder that stands still behind its first frame costs no short recording`() async throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        // By then the file has its head, and not yet its first fragment.
        let slow = ["LD_PRELOAD": try await PreloadedLibrary.build("slow-encoder", in: state), "SLOW_FLUSH": "12000"]
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + ["--codec", "hevc", "--duration", "0.5", "next.mov"],
            environment: ["XDG_STATE_HOME": state.path].merging(slow) { $1 }, folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let path = folder.file("next.mov")
        #expect(try await FFProbe.packets("v:0", of: path).count >= 5)
        try await FFmpeg.decode(path)
    }
}
