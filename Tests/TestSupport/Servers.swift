public import Foundation

/// Private servers that stay up for the length of a test, and devices plugged into them.
///
///     let servers = try await Servers.start(.pipeWire, .pulseAudio)
///     let camera = try await servers.plugInCamera("cam", "--pattern", "ball")
///     let take = try BuiltCommand.rushes.start(["record", …], servers: servers)
///     camera.signal(SIGTERM)     // unplugged
///
/// They end with the last reference to them, also when the test process is killed.
public final class Servers: Sendable {
    public enum Kind: String, Sendable {
        case pulseAudio = "with-pulseaudio"
        case pipeWire = "with-pipewire"
        /// PipeWire camera "bunny", which plays a clip, and microphone "talk", which speaks.
        case devices = "with-devices"
        /// A desktop without a screen: X server, session bus, notifications.
        case desktop = "with-desktop"
        /// A machine that can be turned, see ``Servers/turn(to:)``.
        case accelerometer = "with-accelerometer"
        /// A Slurm cluster of the nodes n1 and n2; see ``Servers/powerOff(_:)``.
        case slurm = "with-slurm"
    }

    /// What a program needs to find the servers: PULSE_SERVER, PIPEWIRE_RUNTIME_DIR, PULSEAUDIO_PID and so on.
    public let environment: [String: String?]
    private let holder: RunningCommand

    /// Starts servers, each inside the one before, so that the last one has PULSE_SERVER.
    public static func start(_ kinds: Kind...) async throws -> Servers {
        let scripts = kinds.map { Checkout.script($0.rawValue) } + [Checkout.script("lib/hold")]
        let holder = try RunningCommand(scripts[0], Array(scripts.dropFirst()))
        var environment: [String: String?] = [:]
        for try await line in holder.lines(within: limit) {
            if line == "ready" { return Servers(environment: environment, holder: holder) }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
        }
        throw ToolError.failed(try await holder.result(within: .seconds(60)))
    }

    /// Far more than a server or a device takes to be there.
    private static let limit = Duration.seconds(120)

    private init(environment: [String: String?], holder: RunningCommand) {
        self.environment = environment
        self.holder = holder
    }

    deinit { holder.closeInput() }

    /// Stops them and waits for their end; without it they end on their own, a moment after the last reference.
    public func stop() async throws {
        holder.closeInput()
        _ = try await holder.result(within: .seconds(120))
    }

    /// The process id of a server: "PULSEAUDIO_PID", "PIPEWIRE_PID", "WIREPLUMBER_PID" or "PIPEWIRE_PULSE_PID".
    public func pid(_ name: String) -> pid_t? { environment[name].flatMap { $0 }.flatMap { pid_t($0) } }

    /// Plugs in a camera (arguments of `scripts/virtual-camera` after the name) and waits until clients see it.
    public func plugInCamera(_ name: String, _ arguments: String...) async throws -> VirtualDevice {
        try await plugIn("virtual-camera", [name] + arguments)
    }

    /// Plugs in a microphone (arguments of `scripts/virtual-microphone` after the name).
    public func plugInMicrophone(_ name: String, _ arguments: String...) async throws -> VirtualDevice {
        try await plugIn("virtual-microphone", [name] + arguments)
    }

    /// Plugs in camera "flash" and microphone "tick", which flash and tick together once a second.
    public func plugInFlashAndTick(_ arguments: String...) async throws -> VirtualDevice {
        try await plugIn("flash-and-tick", arguments)
    }

    /// Turns the machine that has an accelerometer: "normal", "left-up", "right-up", "bottom-up", or "undefined" for one that lies flat.
    public func turn(to orientation: String) async throws {
        guard let path = environment["ACCELEROMETER"].flatMap({ $0 }) else { return }
        _ = try await Tool.succeed(path, [orientation])
    }

    /// Waits until a program plays something on the sound server.
    public func waitUntilPlaying() async throws {
        let deadline = ContinuousClock.now + Self.limit
        while try await Tool.succeed("pactl", ["list", "short", "sink-inputs"], environment: environment).output.isEmpty
        {
            guard ContinuousClock.now < deadline else {
                throw Missing(description: "nothing plays after \(Self.limit)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Ends all processes of a node of Slurm at once, as a power cut does.
    public func powerOff(_ node: Int) {
        if let pid = pid("SLURM_NODE\(node)") { kill(pid, SIGKILL) }
    }

    private func plugIn(_ script: String, _ arguments: [String]) async throws -> VirtualDevice {
        var remaining = 3
        while true {
            let command = try RunningCommand(Checkout.script(script), arguments, environment: environment)
            for try await line in command.lines(within: Self.limit) where line.contains("plugged in") {
                return VirtualDevice(command: command)
            }
            let result = try await command.result(within: .seconds(60))
            // PipeWire's element (0.3.65) crashes now and then where a program connects to a camera as it appears.
            guard result.status == 128 + SIGSEGV, remaining > 1 else { throw ToolError.failed(result) }
            remaining -= 1
        }
    }
}

/// A device that is plugged in as long as this is referred to.
public final class VirtualDevice: Sendable {
    private let command: RunningCommand

    init(command: RunningCommand) { self.command = command }

    deinit { command.signal(SIGTERM) }

    /// Whether it is gone by itself: PipeWire's element may crash where a program connects to it later, too.
    public var hasEnded: Bool { command.hasEnded }

    /// SIGTERM unplugs it, SIGSTOP makes it stall, SIGCONT go on.
    public func signal(_ number: Int32) { command.signal(number) }

    /// Unplugs it and waits until it is gone.
    public func unplug() async throws {
        command.signal(SIGTERM)
        _ = try await command.result(within: .seconds(60))
    }
}
