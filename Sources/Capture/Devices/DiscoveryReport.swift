import Threads

/// What was seen while looking for devices, as values: from it the sentences for people are made.
struct DiscoveryReport: Sendable {
    /// How each provider answered; one that is not here was not asked.
    enum Outcome: Sendable, Hashable { case answered, missing, refused, silent }

    var outcomes: [CaptureDevice.Backend: Outcome] = [:]
    var devices: [CaptureDevice] = []
    /// All V4L2 nodes in /dev, and those of them that this user may not open.
    var videoNodes: [String] = []
    var forbiddenNodes: [String] = []
    var isFlatpak = false
    /// The wait for each provider.
    var timeout = Duration.seconds(5)

    /// One sentence for each thing that keeps devices from being listed, with its cure.
    var sentences: [String] {
        var sentences = CaptureDevice.Backend.allCases.filter { outcomes[$0] == .silent }.map {
            "\($0.words) did not answer within \(timeout.secondsText) seconds, so its devices are left out; restart it"
        }
        if !forbiddenNodes.isEmpty {
            sentences.append(Servers.words(forbidden: forbiddenNodes))
        }
        // A server that did not answer may have what is missing, and has been named.
        if !has(.camera), forbiddenNodes.isEmpty, outcomes[.pipewire] != .silent { sentences.append(whyNoCamera) }
        if !has(.microphone), outcomes[.pulseaudio] != .silent { sentences.append(whyNoMicrophone) }
        return sentences
    }

    private func has(_ kind: CaptureDevice.Kind) -> Bool {
        devices.contains { $0.kind == kind && $0.backend != .test }
    }

    private var whyNoCamera: String {
        if isFlatpak {
            return
                "no camera: this Flatpak may not use them; allow it: flatpak override --user --device=all with the application's name"
        }
        let nodes =
            videoNodes.isEmpty
            ? "no camera: nothing is at /dev/video*"
            : "no camera: \(videoNodes.joined(separator: ", ")) deliver no frames that can be recorded; of a card with interlaced frames name the source: "
                + "gst:v4l2src device=\(videoNodes[0]) ! deinterlace"
        switch outcomes[.pipewire] {
        case .refused:
            return nodes + ", and no PipeWire session is running (systemctl --user start pipewire wireplumber)"
        case .missing: return nodes + "; for PipeWire's cameras install gstreamer1.0-pipewire"
        case .answered: return nodes + ", and PipeWire has none"
        case .silent, nil: return nodes
        }
    }

    private var whyNoMicrophone: String {
        switch (outcomes[.pulseaudio], outcomes[.pipewire]) {
        case (.missing, _): "no microphone: libpulse is not installed (Debian's libpulse0)"
        case (.answered, _): "no microphone: the sound server has no input (the monitors of loudspeakers do not count)"
        case (_, .answered):
            "no microphone: PipeWire is running without its PulseAudio server (systemctl --user start pipewire-pulse)"
        default:
            "no microphone: no sound server is running; start PipeWire (systemctl --user start pipewire-pulse wireplumber) "
                + "or PulseAudio (pulseaudio --start)"
        }
    }
}

extension CaptureDevice.Backend {
    /// The name for people.
    var words: String {
        switch self {
        case .v4l2: "V4L2"
        case .libcamera: "libcamera"
        case .pipewire: "PipeWire"
        case .pulseaudio: "PulseAudio"
        case .test: "the test source"
        }
    }
}
