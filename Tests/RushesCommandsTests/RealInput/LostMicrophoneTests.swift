import Foundation
import TestSupport
import Testing

/// Microphones that are unplugged, moved, muted or held up while they are recorded: what is in the file is the microphone that
/// was asked for, or silence, and it is told.
@Suite(.serialized, .timeLimit(.minutes(25)), .requiresPulseAudio, .requiresPipeWire) struct LostMicrophoneTests {
    enum Server: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case pulseAudio = "PulseAudio"
        case pipeWire = "pipewire-pulse"

        func start() async throws -> Servers {
            try await self == .pulseAudio ? Servers.start(.pulseAudio) : Servers.start(.pipeWire)
        }

        var pid: String { self == .pulseAudio ? "PULSEAUDIO_PID" : "PIPEWIRE_PULSE_PID" }
        var testDescription: String { rawValue }
    }

    /// A take of a microphone, beside another of 880 Hz.
    private final class Scene {
        let servers: Servers
        let a: VirtualDevice
        let b: VirtualDevice
        let folder: TemporaryFolder
        private(set) var events: [Event] = []
        private var take: RunningCommand?

        init(_ server: Server) async throws {
            folder = try TemporaryFolder()
            servers = try await server.start()
            a = try await servers.plugInMicrophone("a", "Mic A", "--tone", "440")
            b = try await servers.plugInMicrophone("b", "Mic B", "--tone", "880")
            try await pactl("set-default-source", "a")
        }

        @discardableResult
        func pactl(_ arguments: String...) async throws -> ToolResult {
            try await Tool.run("pactl", arguments, environment: servers.environment)
        }

        func record(_ microphone: String, camera: String = "none") throws {
            take = try BuiltCommand.rushes.start(
                [
                    "record", "--camera", camera, "--microphone", microphone, "--audio", "flac", "--json", "--progress",
                    "none", "take.mkv",
                ], servers: servers, folder: folder.path)
        }

        /// Reads events until one fits, and returns it; `nil` where the take ends before.
        func event(_ fits: (Event) -> Bool) async throws -> Event? {
            for await line in try #require(take).lines {
                let event = try Event(line)
                events.append(event)
                if fits(event) { return event }
            }
            return nil
        }

        func reach(_ seconds: Double) async throws {
            _ = try #require(try await event { $0.state.mediaTime ?? 0 >= seconds })
        }

        func told(_ words: String) async throws -> Event? {
            try await event { $0.state.message?.contains(words) == true }
        }

        /// A person ends it.
        func interrupt() { take?.signal(SIGINT) }

        func end() async throws -> ToolResult {
            let result = try await #require(take).result(within: .seconds(120))
            events = try Event.all(result.text)
            Quiet.expect(result.errors)
            return result
        }

        /// What each tenth of a second holds.
        func received() async throws -> [Heard] {
            let rate = 48_000
            let samples = try await FFmpeg.audio(of: folder.file("take.mkv"), rate: rate)
            let tenths = stride(from: 0, to: samples.count - rate / 10 + 1, by: rate / 10).map { start in
                let tenth = samples[start..<start + rate / 10]
                return (
                    a: ToneAnalysis.amplitude(of: 440, in: tenth, rate: rate),
                    b: ToneAnalysis.amplitude(of: 880, in: tenth, rate: rate),
                    loudest: tenth.reduce(0) { max($0, abs($1)) }
                )
            }
            // Five milliseconds of the other microphone are enough.
            let least = (tenths.map { max($0.a, $0.b) }.max() ?? 0) / 20
            return tenths.map { tenth in
                if tenth.b > least { return tenth.a > least ? .both : .b }
                return tenth.loudest < 0.001 ? .silence : .a
            }
        }
    }

    /// What is in a moment of a take: Mic A, Mic B, one after the other, or neither.
    fileprivate enum Heard: String, CustomStringConvertible {
        case a, b, both, silence = "-"
        var description: String { rawValue }
    }

    @Test(arguments: Server.allCases, ["a", "Mic A"])
    func `a chosen microphone that is unplugged is told within a second, and ends its take where it was lost`(
        server: Server, microphone: String
    ) async throws {
        let scene = try await Scene(server)
        try scene.record(microphone)
        try await scene.reach(1.5)
        let unplugged = Date().timeIntervalSince1970
        try await scene.a.unplug()
        let result = try await scene.end()
        #expect(result.status == 3, "\(result)")
        #expect(result.errors.contains("Mic A was lost: it was unplugged."), "\(result)")
        let told = try #require(
            scene.events.first { $0.state.message?.contains("Mic A is lost (it was unplugged)") == true })
        // Unplugging takes the script some time too.
        // By a word of the server and not by its silence, as is told; a busy machine passes it on late.
        #expect(told.timestamp - unplugged < 10)
        #expect(scene.events.last?.state.fileIsGood == true)
        try await FFmpeg.decode(scene.folder.file("take.mkv"))
        let received = try await scene.received()
        // From the first moment to the unplugging there is neither another microphone nor silence.
        #expect(received.count > 10)
        #expect(received.upToSilence.allSatisfy { $0 == .a }, "\(received)")
        #expect(received.upToSilence.count > 10, "\(received)")
        // The ten seconds in which it might have come back are not part of it.
        #expect(received.count - received.upToSilence.count < 20, "\(received)")
    }

    @Test(arguments: Server.allCases) func `beside a camera the frames go on, in silence, and the loss is told`(
        server: Server
    ) async throws {
        let scene = try await Scene(server)
        try scene.record("a", camera: "test:size=320x240,rate=30")
        try await scene.reach(1.5)
        try await scene.a.unplug()
        let told = try #require(try await scene.told("Mic A is lost (it was unplugged)"))
        try await scene.reach((told.state.mediaTime ?? 0) + 2)
        scene.interrupt()
        let result = try await scene.end()
        #expect(result.status == 3, "\(result)")
        #expect(result.errors.contains("Mic A was lost at 0:0"), "\(result)")
        let received = try await scene.received()
        #expect(received.upToSilence.allSatisfy { $0 == .a }, "\(received)")
        #expect(received.suffix(10).allSatisfy { $0 == .silence }, "\(received)")
    }

    @Test(arguments: Server.allCases) func `the default microphone may become another, in step, which is told`(
        server: Server
    ) async throws {
        let scene = try await Scene(server)
        let launched = Date().timeIntervalSince1970
        try scene.record("default")
        try await scene.reach(1.5)
        try await scene.pactl("set-default-source", "b")
        #expect(try await scene.told("The microphone switched to Mic B") != nil)
        try await scene.reach((scene.events.last?.state.mediaTime ?? 0) + 2)
        try await scene.pactl("set-default-source", "a")
        #expect(try await scene.told("The microphone switched to Mic A") != nil)
        try await scene.reach((scene.events.last?.state.mediaTime ?? 0) + 2)
        let unplugged = scene.events.last?.state.mediaTime ?? 0
        try await scene.a.unplug()
        // PulseAudio has another one, which hears nothing.
        #expect(try await scene.told("The microphone switched to") != nil, "\(scene.events.suffix(2).map(\.state))")
        try await scene.reach((scene.events.last?.state.mediaTime ?? 0) + 1)
        let stopped = Date().timeIntervalSince1970
        scene.interrupt()
        let result = try await scene.end()
        let ended = Date().timeIntervalSince1970
        #expect(result.status == 0, "\(result)")
        let received = try await scene.received()
        let before = received.prefix(Int(unplugged * 10) - 2)
        // Nothing is missing but moments, and what there is lies where it was.
        #expect(before.count { $0 == .silence } < 6, "\(received)")
        let order = before.filter { $0 == .a || $0 == .b }.reduce(into: [Heard]()) {
            if $0.last != $1 { $0.append($1) }
        }
        #expect(order == [.a, .b, .a], "\(received)")
        let started = try #require(scene.events.first { $0.event == "start" })
        // That it has begun is told late by a machine that is busy.
        let length = Double(received.count) / 10
        #expect(length > stopped - started.timestamp - 1.2 && length < ended - launched + 0.2)
    }

    @Test(arguments: Server.allCases) func `nobody moves a chosen microphone's recording to another`(
        server: Server
    ) async throws {
        let scene = try await Scene(server)
        try scene.record("a")
        try await scene.reach(1)
        let outputs = try await scene.pactl("list", "short", "source-outputs").text
        for line in outputs.split(separator: "\n") where !line.contains("module-") {
            try await scene.pactl("move-source-output", String(line.prefix { $0 != "\t" }), "b")
        }
        try await scene.pactl("set-default-source", "b")
        try await scene.reach(2.5)
        scene.interrupt()
        let result = try await scene.end()
        #expect(result.status == 0, "\(result)")
        let received = try await scene.received()
        #expect(received.upToSilence.allSatisfy { $0 == .a }, "\(received)")
    }

    @Test(arguments: Server.allCases) func `a muted microphone is told, and when it is no longer`(server: Server)
        async throws
    {
        let scene = try await Scene(server)
        try scene.record("a")
        try await scene.reach(1)
        try await scene.pactl("set-source-mute", "a", "1")
        #expect(try await scene.told("Mic A is muted") != nil)
        try await scene.reach((scene.events.last?.state.mediaTime ?? 0) + 1.5)
        try await scene.pactl("set-source-mute", "a", "0")
        #expect(try await scene.told("Mic A is no longer muted") != nil)
        // A volume that is as good as the full one to the ear that judges the file.
        try await scene.pactl("set-source-volume", "a", "99%")
        #expect(try await scene.told("The volume of Mic A is now 99%") != nil)
        try await scene.reach((scene.events.last?.state.mediaTime ?? 0) + 1)
        scene.interrupt()
        #expect(try await scene.end().status == 0)
        let received = try await scene.received()
        #expect(received.count { $0 == .silence } >= 8, "\(received)")
        #expect(received.allSatisfy { $0 == .a || $0 == .silence }, "\(received)")
        #expect(received.last == .a, "\(received)")
    }

    @Test func `a suspended microphone is told, and what comes behind lies in its place`() async throws {
        let scene = try await Scene(.pulseAudio)
        try scene.record("a")
        try await scene.reach(1.5)
        let asked = Date()
        try await scene.pactl("suspend-source", "a", "1")
        let suspended = Date()
        let begin = try #require(try await scene.told("Mic A is suspended"))
        try await scene.reach((begin.state.mediaTime ?? 0) + 4)
        let resuming = Date()
        try await scene.pactl("suspend-source", "a", "0")
        let resumed = Date()
        let end = try #require(try await scene.told("Mic A is no longer suspended"))
        try await scene.reach((end.state.mediaTime ?? 0) + 3)
        scene.interrupt()
        #expect(try await scene.end().status == 0)
        let received = try await scene.received()
        let silence = Double(received.count { $0 == .silence }) / 10
        // Somewhere while pactl ran.
        let (least, most) = (resuming.timeIntervalSince(suspended), resumed.timeIntervalSince(asked))
        #expect(silence > least - 0.7 && silence < most + 0.7, "\(received)")
        #expect(received.suffix(10).allSatisfy { $0 == .a }, "\(received)")
    }

    @Test(arguments: Server.allCases) func `a server that stops for a while is told, and the audio stays in its place`(
        server: Server
    ) async throws {
        let scene = try await Scene(server)
        let pid = try #require(scene.servers.pid(server.pid))
        try scene.record("a", camera: "test:size=320x240,rate=30")
        try await scene.reach(1.5)
        kill(pid, SIGSTOP)
        defer { kill(pid, SIGCONT) }
        #expect(try await scene.told("delivers nothing from Mic A") != nil)
        try await scene.reach((scene.events.last?.state.mediaTime ?? 0) + 3)
        kill(pid, SIGCONT)
        #expect(try await scene.told("Mic A is back after a silence of") != nil)
        try await scene.reach((scene.events.last?.state.mediaTime ?? 0) + 3)
        scene.interrupt()
        let result = try await scene.end()
        #expect(result.status == 0, "\(result)")
        let received = try await scene.received()
        #expect(received.contains(.silence))
        #expect(received.allSatisfy { $0 == .a || $0 == .silence }, "\(received)")
        #expect(received.suffix(10).allSatisfy { $0 == .a }, "\(received)")
        let report = try await FFProbe.inspect(scene.folder.file("take.mkv"))
        #expect(abs(Double(received.count) / 10 - (report.format.duration?.value ?? 0)) < 0.3)
    }

    @Test(arguments: Server.allCases) func `a server that is killed ends the take of its microphone`(server: Server)
        async throws
    {
        let scene = try await Scene(server)
        try scene.record("a")
        try await scene.reach(1.5)
        kill(try #require(scene.servers.pid(server.pid)), SIGKILL)
        let result = try await scene.end()
        #expect(result.status == 3, "\(result)")
        #expect(result.errors.contains("Mic A was lost: its sound server has ended."), "\(result)")
        let received = try await scene.received()
        #expect(received.upToSilence.allSatisfy { $0 == .a }, "\(received)")
    }
}

extension [LostMicrophoneTests.Heard] {
    /// Without the silence at the end.
    fileprivate var upToSilence: ArraySlice<Element> {
        prefix((lastIndex { $0 != .silence } ?? -1) + 1)
    }
}
