import GStreamer

extension AudioSourcePlan {
    /// Plans how a microphone is opened.
    ///
    /// - Parameter channels: 1 to 6; `nil` takes the microphone's own, or two where it does not say or has more.
    /// - Throws: ``CaptureError`` if the number of channels is out of range or an option of a test tone is bad.
    public init(_ source: AudioSource, channels: Int? = nil) throws(CaptureError) {
        if let channels, !(1...6).contains(channels) {
            throw CaptureError(.badSource, "sound can have 1 to 6 channels, not \(channels)")
        }
        let first: PipelineDescription.Node
        name = source.name
        isOnSystemClock = source.isTest
        var own: Int?
        switch source {
        case .device(let device) where device.backend == .test: first = Self.tone(TestTone())
        case .device(let device):
            first = Self.element(device)
            own = device.channels
        case .test(let tone): first = try Self.checked(tone)
        case .launchLine(let line): first = .launchLine(try LaunchLine(line: line).raw(.audio, caps: "audio/x-raw"))
        }
        // A device with eighteen inputs is recorded in stereo unless somebody asks for more.
        let count = channels ?? own.flatMap { (1...6).contains($0) ? $0 : nil } ?? 2
        do {
            let conversion = try Self.conversion(channels: count)
            // A tone is made as it is wanted, but for the places of more than two channels.
            nodes = [first] + (source.isTest && count <= 2 ? conversion.nodes.suffix(1) : conversion.nodes[...])
            delivers = conversion.caps
        } catch {
            throw CaptureError(.deviceFailed, "sound with \(count) channels cannot be described", underlying: error)
        }
        self.channels = count
        summary = "\(source.name), \(Self.words(channels: count))"
    }

    private static func element(_ device: CaptureDevice) -> PipelineDescription.Node {
        switch device.backend {
        case .pipewire: .pipeWireSource(device)
        default: pulse(device.address)
        }
    }

    /// A PulseAudio source, also of pipewire-pulse.
    private static func pulse(_ name: String) -> PipelineDescription.Node {
        .make(
            "pulsesrc",
            [
                "device": .text(name), "client-name": "rushes",
                // All pipelines run on the system's clock; drift is measured and corrected in Swift. Each buffer is
                // stamped with its arrival minus its length (within 0.1 ms), so the stamps are the input of a filter
                // and not times to keep. Measured for 5 s on a busy machine, 1.22.0:
                //                            stamp's jitter (sd, max)   stamp minus truth
                //   PulseAudio 16.1          0.3-0.7 ms, 3 ms           +0.3 ... +1.5 ms
                //   pipewire-pulse 0.3.65    1.6 ms, 5.6 ms             constant, +/- 1.4 ms about it (480 samples in
                //                                                       quanta of 1024); a stalled server: 100 ms late
                // "skew" has no jitter, but its constant is decided by the first moment: +3.5 ... +4.9 ms there.
                "provide-clock": false, "slave-method": "re-timestamp",
                // The ring's length (microseconds) only matters when this process stalls; a piece's length is how
                // late sound comes.
                "buffer-time": 200_000, "latency-time": 10_000,
            ])
    }

    private static func checked(_ tone: TestTone) throws(CaptureError) -> PipelineDescription.Node {
        do {
            try Element("audiotestsrc").set("wave", to: .text(tone.wave))
        } catch {
            throw CaptureError(
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
