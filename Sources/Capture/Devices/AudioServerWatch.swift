import GStreamer
import PulseAudio
import Threads

/// What a sound server says of its microphones, asked through one connection that is made at the first question and kept.
///
/// The same as ``PulseMicrophone`` records from: names, numbers of channels and the default are the server's own.
final class AudioServerWatch: Sendable {
    private struct State {
        var connection: PulseConnection?
        /// Which connection it is: what an older one still tells is not heard.
        var number = 0
        var snapshot: PulseSnapshot?
        var hasFailed = false
    }

    static let shared = AudioServerWatch()

    private let state = Locked(State())
    private let answers = Listeners<Void>()
    private let changes = Listeners<Void>()

    /// The microphones that the server has now, in at most the stated time.
    func answer(within limit: Duration) async -> ProviderWatch.Answer {
        let told = ticks(of: answers)
        guard PulseConnection.isPossible else { return .missing }
        guard let connection = connection() else { return .refused }
        // libpulse may start a server, and wait for it.
        let asked = await onOwnThread("rushes-pulse-open", orAfter: limit, otherwise: Int?.none) {
            connection.open()
            return connection.perform { connection.refresh() }
        }
        guard let asked else { return .silent }
        let found = await withTimeout(limit) { [self] in
            if let answer = known(since: asked) { return answer }
            for await _ in told { if let answer = known(since: asked) { return answer } }
            return .silent
        }
        return found ?? .silent
    }

    /// How loud each microphone is in the last answer, by its identifier.
    var volumes: [String: MicrophoneVolume] {
        let sources = state.withLock { $0.snapshot?.sources } ?? []
        return Dictionary(sources.map { ($0.name, MicrophoneVolume($0)) }) { first, _ in first }
    }

    /// Says that sources have come, gone or changed, or which is the default.
    func messages() -> AsyncStream<Void> { ticks(of: changes) }

    private func ticks(of listeners: Listeners<Void>) -> AsyncStream<Void> {
        let (ticks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let key = listeners.add { continuation.yield() }
        continuation.onTermination = { _ in listeners.remove(key) }
        return ticks
    }

    /// `nil` where the server has not answered yet.
    private func known(since serial: Int) -> ProviderWatch.Answer? {
        state.withLock { state in
            if state.hasFailed { return .refused }
            guard let snapshot = state.snapshot, snapshot.serial >= serial else { return nil }
            return .devices(snapshot.devices)
        }
    }

    /// The one that is there, or a new one where it has ended; `nil` where memory is short.
    private func connection() -> PulseConnection? {
        state.withLock { state in
            if let connection = state.connection { return connection }
            state.number += 1
            (state.snapshot, state.hasFailed) = (nil, false)
            let number = state.number
            state.connection = try? PulseConnection(program: "rushes") { [weak self] in self?.receive($0, of: number) }
            return state.connection
        }
    }

    /// On the connection's thread.
    private func receive(_ event: PulseConnection.Event, of number: Int) {
        let (isChange, ended) = state.withLock { state -> (Bool, PulseConnection?) in
            guard number == state.number else { return (false, nil) }
            switch event {
            case .snapshot(let new):
                defer { state.snapshot = new }
                return (state.snapshot.map { $0.devices != new.devices } ?? false, nil)
            case .failed:
                state.hasFailed = true
                defer { state.connection = nil }
                return (state.snapshot != nil, state.connection)
            }
        }
        // Its end is outside the lock.
        withExtendedLifetime(ended) {}
        answers.send(())
        if isChange { changes.send(()) }
    }
}

extension PulseSnapshot {
    /// Microphones, and the monitors of loudspeakers.
    var devices: [CaptureDevice] {
        sources.map { source in
            let isDefault =
                source.isMonitor
                ? source.loudspeaker != nil && source.loudspeaker == defaultLoudspeaker : source.name == defaultSource
            return CaptureDevice(
                id: source.name, name: source.description, kind: source.isMonitor ? .monitor : .microphone,
                backend: .pulseaudio, isDefault: isDefault, channels: source.channels, address: source.name)
        }
    }
}
