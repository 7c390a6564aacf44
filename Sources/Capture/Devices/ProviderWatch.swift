import Threads
import Foundation
import GStreamer

/// One provider of this process, started once and kept.
///
/// PipeWire's is never stopped: that now and then corrupts the heap, and hangs after the server's end (0.3.65). Its
/// cameras therefore stay away from a program that outlives the server.
final class ProviderWatch: Sendable {
    /// What came of asking a provider.
    enum Answer: Sendable {
        case devices([CaptureDevice])
        /// No installed plugin has it.
        case missing
        /// It could not start: there is no server, or it refused.
        case refused
        /// It did not answer in time, and is still being waited for.
        case silent
    }

    private enum Start: Sendable {
        case running(DeviceProvider)
        case missing, refused
    }

    private enum State: Sendable {
        case idle
        case starting(Task<Start, Never>)
        case running(DeviceProvider)
    }

    let backend: CaptureDevice.Backend
    private let factory: String
    private let state = Locked(State.idle)
    /// Asking it, once it runs.
    private let asking = SingleCall<[CaptureDevice]>("rushes-devices")

    private init(_ backend: CaptureDevice.Backend, _ factory: String) {
        self.backend = backend
        self.factory = factory
    }

    /// All that know cameras; ``AudioServerWatch`` knows the microphones. Each is started by itself: GstDeviceMonitor lets
    /// libcamera's hide V4L2's (1.22).
    static let all = {
        // libcamera tells its version and what it misses on standard error, in the middle of a progress line.
        setenv("LIBCAMERA_LOG_LEVELS", "*:FATAL", 0)
        // The thread that takes a camera's frames from PipeWire, in time, as those that work with audio ask it: a client that is
        // late on a busy machine never gets a frame. Where that is not allowed nothing changes (0.3.65; among builds on two
        // cores, eight takes of 144 frames each: 1 frame lost so, 5 without).
        if access("/usr/share/pipewire/client-rt.conf", R_OK) == 0 {
            setenv("PIPEWIRE_CONFIG_NAME", "client-rt.conf", 0)
        }
        return [
            ProviderWatch(.v4l2, "v4l2deviceprovider"), ProviderWatch(.libcamera, "libcameraprovider"),
            ProviderWatch(.pipewire, "pipewiredeviceprovider"),
        ]
    }()

    /// The devices that the provider knows, in at most the stated time.
    func answer(within limit: Duration) async -> Answer {
        switch await start(within: limit) {
        case .none: return .silent
        case .missing: return .missing
        case .refused: return .refused
        case .running(let provider):
            let backend = self.backend
            let entries = await asking.value(within: limit) {
                provider.devices().compactMap { CaptureDevice(ProviderEntry($0, backend: backend)) }
            }
            return entries.map(Answer.devices) ?? .silent
        }
    }

    /// Arrivals and removals; `nil` while the provider does not run.
    func messages() -> AsyncStream<BusMessage>? {
        if case .running(let provider) = state.withLock({ $0 }) { provider.messages() } else { nil }
    }

    /// What came of starting it, now or before; `nil` if that is not known in time.
    private func start(within limit: Duration) async -> Start? {
        // PipeWire's provider "starts" without a server too, and then never finds one (0.3.65).
        if backend == .pipewire, !Servers.hasPipeWire {
            return ElementFactory.exists("pipewiresrc") ? .refused : .missing
        }
        let start: Task<Start, Never>
        switch state.withLock({ state -> State in
            if case .idle = state { state = .starting(starting()) }
            return state
        }) {
        case .running(let provider): return .running(provider)
        case .starting(let task): start = task
        case .idle: return .refused
        }
        guard let outcome = await withTimeout(limit, { await start.value }) else { return nil }
        // One that refused may be tried again: its server may come up.
        state.withLock { state in
            // Not what was started anew meanwhile.
            guard case .starting(start) = state else { return }
            if case .running(let provider) = outcome { state = .running(provider) } else { state = .idle }
        }
        return outcome
    }

    private func starting() -> Task<Start, Never> {
        let factory = self.factory
        // Without udev (in a container) V4L2's provider starts and finds nothing; not started, it looks into /dev
        // each time it is asked.
        let looksByItself = backend == .v4l2 && !Servers.hasUdev
        return Task.detached {
            let outcome = try? await onOwnThread("rushes-provider") { () -> Start in
                guard let provider = DeviceProvider(factory) else { return .missing }
                return looksByItself || provider.start() ? .running(provider) : .refused
            }
            return outcome ?? .refused
        }
    }
}
