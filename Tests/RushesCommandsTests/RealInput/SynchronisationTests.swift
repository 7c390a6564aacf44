import Foundation
import TestSupport
import Testing

/// A flash and a tick made together: how far apart are they in the movie?
@Suite(.timeLimit(.minutes(25)), .requiresPulseAudio, .requiresPipeWire) struct SynchronisationTests {
    /// Records the flashing camera and the ticking microphone.
    private func record(
        _ servers: Servers, _ name: String, in folder: TemporaryFolder, seconds: Int, _ options: [String] = []
    ) async throws -> SyncMeasurement {
        let result = try await BuiltCommand.rushes.run(
            [
                "record", "--camera", "flash", "--microphone", "tick", "--progress", "none", "--codec", "mjpeg",
                "--duration", "\(seconds)",
            ]
                + options + [name], servers: servers, limit: .seconds(seconds + 120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        Quiet.expect(result.errors)
        return try await SyncMeasurement.measure(folder.file(name))
    }

    /// The devices are programs: where the machine holds them up again and again, they are late themselves, and the
    /// recording is made again.
    private func isInStep(_ measured: SyncMeasurement, at offset: Double = 0) -> Bool {
        [measured.first, measured.last].allSatisfy { abs(($0 ?? 1000) - offset) < 10 }
    }

    private func expect(_ measured: SyncMeasurement, within limit: Double, at offset: Double = 0, flashes: Int) {
        #expect(measured.flashes.count >= flashes, "\(measured)")
        #expect(measured.lonely.count <= 1, "\(measured)")
        #expect(abs((measured.first ?? 1000) - offset) < limit, "\(measured)")
        #expect(abs((measured.last ?? 1000) - offset) < limit, "\(measured)")
    }

    @Test(.alone) func `with PulseAudio they lie within 10 ms, and --audio-delay moves the audio by what it says`()
        async throws
    {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let devices = try await servers.plugInFlashAndTick()
        let folder = try TemporaryFolder()
        let offsets = [0.0, 100, -100]
        var measured: [SyncMeasurement] = []
        for number in 1...3 where measured.isEmpty || !zip(measured, offsets).allSatisfy({ isInStep($0, at: $1) }) {
            async let plain = record(servers, "plain \(number).mov", in: folder, seconds: 7)
            async let later = record(
                servers, "later \(number).mov", in: folder, seconds: 7, ["--audio-delay", "100ms"])
            async let earlier = record(
                servers, "earlier \(number).mkv", in: folder, seconds: 7, ["--audio-delay=-100ms"])
            measured = try await [plain, later, earlier]
        }
        for (one, offset) in zip(measured, offsets) { expect(one, within: 10, at: offset, flashes: 5) }
        try await devices.unplug()
    }

    @Test(.alone) func `with PipeWire they lie within 10 ms`() async throws {
        let servers = try await Servers.start(.pipeWire)
        let devices = try await servers.plugInFlashAndTick()
        let folder = try TemporaryFolder()
        var measured = try await record(servers, "take.mov", in: folder, seconds: 7)
        for name in ["second.mov", "third.mov"] where !isInStep(measured) {
            measured = try await record(servers, name, in: folder, seconds: 7)
        }
        expect(measured, within: 10, flashes: 5)
        try await devices.unplug()
    }

    /// A minute in `scripts/soak drift`, a quarter of it in each run.
    private static let drifting = ProcessInfo.processInfo.environment["RUSHES_LONG_TESTS"] == nil ? 15 : 60

    @Test func `with a microphone that runs half a percent fast they still do after a while`() async throws {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let devices = try await servers.plugInFlashAndTick("--speed", "1.005")
        let folder = try TemporaryFolder()
        var measured = try await record(servers, "take.mov", in: folder, seconds: Self.drifting)
        for name in ["second.mov", "third.mov"] where !isInStep(measured) {
            measured = try await record(servers, name, in: folder, seconds: Self.drifting)
        }
        // Without a correction the last flash would be 75 ms off after a quarter of a minute.
        expect(measured, within: 10, flashes: Self.drifting - 3)
        try await devices.unplug()
    }

    @Test(.alone, arguments: [[], ["--mix"]])
    func `two microphones that hear the same lie together, in tracks of their own and mixed`(options: [String])
        async throws
    {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let devices = try await servers.plugInFlashAndTick("--speed", "1.00025", "--tock", "0.99975")
        let folder = try TemporaryFolder()
        let seconds = 15
        var measured: SyncMeasurement.Microphones?
        // The microphones are a program: where the machine holds it up again and again, they are late themselves.
        func areTogether() -> Bool { measured?.ticks.count ?? 0 >= seconds - 3 && abs(measured?.last ?? 1000) < 3 }
        for name in ["take.mka", "second.mka", "third.mka"] where !areTogether() {
            let result = try await BuiltCommand.rushes.run(
                [
                    "record", "--camera", "none", "--microphone", "tick", "--microphone", "tock", "--channels", "1",
                    "--audio", "flac", "--progress", "none", "--duration", "\(seconds)", name,
                ] + options, servers: servers, limit: .seconds(seconds + 120), folder: folder.path)
            #expect(result.status == 0, "\(result)")
            measured = try await SyncMeasurement.microphones(folder.file(name))
        }
        // By their clocks alone they would be 7 ms apart at the end.
        #expect(areTogether(), "\(String(describing: measured))")
        try await devices.unplug()
    }
}
