import TestSupport
import Testing

/// What a recording tells whose disk does not keep up.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "cc", package: "gcc libc6-dev")) struct SlowDiskTests {
    @Test(arguments: ["take.mov", "take.mkv"])
    func `a slow disk is told while nothing is lost yet`(name: String) async throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        let journal = ["XDG_STATE_HOME": state.path]
        let slow = ["LD_PRELOAD": try await PreloadedLibrary.build("slow-disk", in: state), "SLOW_DISK": "1500"]
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "--codec", "h264", name],
            environment: journal.merging(slow) { $1 }, folder: folder.path)
        var (told, isStopped, last): (Bool, Bool, Event?) = (false, false, nil)
        for await line in take.lines {
            let event = try Event(line)
            last = event
            if event.state.message?.hasPrefix("The disk is slow: it has taken ") == true { told = true }
            guard told, !isStopped else { continue }
            // The journal's disk is as slow: the recording may not be known yet.
            let result = try await BuiltCommand.rushes.run(["control", event.id, "stop"], environment: journal)
            isStopped = result.status == 0
            #expect(isStopped || result.errors.contains("There is no activity"), "\(result)")
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0 && told && last?.state.framesDropped == 0, "\(result)")
        #expect(try await FFProbe.packets("v:0", of: folder.file(name)).count == last?.state.framesWritten)
        try await FFmpeg.decode(folder.file(name))
    }
}
