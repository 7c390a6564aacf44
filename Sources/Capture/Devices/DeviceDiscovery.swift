import Threads
import GStreamer

/// Finds cameras and microphones, and tells of arrivals and removals.
///
/// V4L2, libcamera, PipeWire and PulseAudio are asked at the same time, each on a thread of its own and no longer than
/// the timeout: a server that hangs is left out and named, and the others' devices are listed.
public struct DeviceDiscovery: Sendable {
    /// Devices, and why others may be missing.
    public struct Listing: Sendable, Hashable {
        /// Cameras before microphones, test sources last.
        public var devices: [CaptureDevice]
        /// One sentence for each thing that keeps devices from being listed, with its cure.
        public var diagnostics: [String]
    }

    /// What has happened to a device.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Change: Sendable, Hashable {
        case added(CaptureDevice)
        case removed(CaptureDevice)
        /// The same device, with other formats, another name, or become the default or no longer so.
        case changed(CaptureDevice)
    }

    package var timeout: Duration
    package var includesTestSources: Bool

    /// - Parameters:
    ///   - timeout: how long each provider is waited for.
    ///   - includesTestSources: whether the test pattern and the test tone are listed too, after all others.
    public init(timeout: Duration = .seconds(5), includesTestSources: Bool = true) {
        self.timeout = timeout
        self.includesTestSources = includesTestSources
    }

    /// The devices present.
    package func devices() async -> [CaptureDevice] { await listing().devices }

    /// The devices present, and why others may be missing.
    public func listing() async -> Listing {
        let timeout = self.timeout
        // The very first start of GStreamer looks into all its plugins, which takes seconds: no server is to blame for it.
        _ = try? await onOwnThread("rushes-start") { GStreamerLibrary.start() }
        var found: [CaptureDevice] = []
        var report = DiscoveryReport(timeout: timeout)
        await withTaskGroup(of: (CaptureDevice.Backend, ProviderWatch.Answer).self) { group in
            for watch in ProviderWatch.all {
                group.addTask { (watch.backend, await watch.answer(within: timeout)) }
            }
            group.addTask { (.pulseaudio, await AudioServerWatch.shared.answer(within: timeout)) }
            for await (backend, answer) in group {
                switch answer {
                case .devices(let devices):
                    found += devices
                    report.outcomes[backend] = .answered
                case .missing: report.outcomes[backend] = .missing
                case .refused: report.outcomes[backend] = .refused
                case .silent: report.outcomes[backend] = .silent
                }
            }
        }
        report.devices = DeviceMerge.merged(found)
        report.videoNodes = Servers.videoNodes()
        report.forbiddenNodes = report.videoNodes.filter { !Servers.mayOpen($0) }
        report.isFlatpak = Servers.isFlatpak
        let tests = includesTestSources ? [CaptureDevice.testCamera, .testMicrophone] : []
        return Listing(devices: report.devices + tests, diagnostics: report.sentences)
    }
}
