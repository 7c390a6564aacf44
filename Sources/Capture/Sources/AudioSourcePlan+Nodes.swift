public import Errors
import GStreamer

extension AudioSourcePlan {
    /// Plans how a microphone is opened.
    ///
    /// - Parameter channels: 1 to 6; `nil` takes the microphone's own, or two where it does not say or has more.
    /// - Throws: ``RushesError`` if the number of channels is out of range or an option of a test tone is bad.
    public init(_ source: AudioSource, channels: Int? = nil) throws(RushesError) {
        if let channels, !(1...6).contains(channels) {
            throw RushesError(.badSource, "audio can have 1 to 6 channels, not \(channels)")
        }
        let first: PipelineDescription.Node
        var microphone: ServerMicrophone?
        name = source.name
        isOnSystemClock = source.isTest
        var own: Int?
        switch source {
        case .device(let device), .defaultDevice(let device):
            first = device.backend == .test ? Self.tone(TestTone()) : Self.element(device)
            own = device.backend == .test ? nil : device.channels
            if device.backend == .pulseaudio {
                let followsDefault = if case .defaultDevice = source { true } else { false }
                microphone = ServerMicrophone(
                    source: device.address, name: device.name, followsDefault: followsDefault)
            }
        case .test(let tone): first = try Self.checked(tone)
        case .launchLine(let line): first = .launchLine(try LaunchLine(line: line).raw(.audio, caps: "audio/x-raw"))
        }
        // A device with eighteen inputs is recorded in stereo unless somebody asks for more.
        let count = channels ?? own.flatMap { (1...6).contains($0) ? $0 : nil } ?? 2
        do {
            let conversion = try Self.conversion(channels: count)
            // A tone is made as it is wanted, but for the places of more than two channels.
            nodes = [first] + (source.isTest && count <= 2 ? conversion.nodes.suffix(1) : conversion.nodes[...])
            outputFormat = conversion.caps
        } catch {
            throw RushesError(.deviceFailed, "audio with \(count) channels cannot be described", underlying: error)
        }
        self.channels = count
        self.microphone = microphone
        summary = "\(source.name), \(Self.words(channels: count))"
    }

    private static func element(_ device: CaptureDevice) -> PipelineDescription.Node {
        switch device.backend {
        case .pipewire: .pipeWireSource(device)
        case .pulseaudio, .v4l2, .libcamera, .test: pulse(device.address)
        }
    }

    /// A PulseAudio source, also of pipewire-pulse, as gst-launch would open it: ``PulseMicrophone`` records it.
    private static func pulse(_ name: String) -> PipelineDescription.Node {
        .make("pulsesrc", ["device": .text(name), "client-name": "rushes"])
    }

    private static func checked(_ tone: TestTone) throws(RushesError) -> PipelineDescription.Node {
        do {
            try Element("audiotestsrc").set("wave", to: .text(tone.wave))
        } catch {
            throw RushesError(
                .badSource,
                "test:wave=\(tone.wave): no such wave; sine, square, saw, triangle, silence, white-noise and ticks are some",
                underlying: error)
        }
        return self.tone(tone)
    }

    private static func tone(_ tone: TestTone) -> PipelineDescription.Node {
        .make(
            "audiotestsrc",
            [
                "is-live": true, "freq": .double(tone.frequency),
                "volume": .double(tone.volume),
                "wave": .text(tone.wave),
                // A tone is made ahead of its time, so longer pieces delay nothing, and each wakes four threads.
                "samplesperbuffer": 2048,
            ])
    }
}
