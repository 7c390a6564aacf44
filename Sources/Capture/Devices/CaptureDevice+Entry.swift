import GStreamer

extension CaptureDevice {
    /// A device as its provider describes it; `nil` for what is neither a camera nor a microphone.
    ///
    /// Left out are outputs, the monitors of loudspeakers, V4L2 nodes that carry only metadata, and cameras that deliver
    /// nothing but bare sensor data, which libcamera turns into frames.
    init?(_ entry: ProviderEntry, identity: DeviceIdentity = DeviceIdentity()) {
        let classes = Set(entry.deviceClass.split(separator: "/").map(String.init))
        guard classes.contains("Source") else { return nil }
        if classes.contains("Video") {
            self.init(camera: entry, identity)
        } else if classes.contains("Audio") {
            self.init(microphone: entry)
        } else {
            return nil
        }
    }

    private init?(camera entry: ProviderEntry, _ identity: DeviceIdentity) {
        let formats = CaptureFormat.formats(of: entry.caps)
        guard !formats.isEmpty else { return nil }
        switch entry.backend {
        case .v4l2:
            guard let path = entry.text("device.path") else { return nil }
            let id = identity.id(path: path, busInfo: entry.text("v4l2.device.bus_info"))
            self.init(id: id, name: entry.name, kind: .camera, backend: .v4l2, path: path, formats: formats)
        case .pipewire:
            guard let node = entry.text("node.name") else { return nil }
            self.init(
                id: node, name: entry.name, kind: .camera, backend: .pipewire, isDefault: entry.isDefault,
                path: entry.v4l2Path, formats: formats, position: entry.position, address: node)
        case .libcamera, .pulseaudio, .test:
            // libcamera's own name is its stable id; the model, where it tells, is nicer to read.
            let model = entry.text("api.libcamera.model") ?? entry.name
            self.init(
                id: entry.name, name: model, kind: .camera, backend: entry.backend, formats: formats,
                position: entry.position)
        }
    }

    private init?(microphone entry: ProviderEntry) {
        guard let source = entry.text("node.name"), !entry.isMonitor else { return nil }
        self.init(
            id: source, name: entry.name, kind: .microphone, backend: entry.backend, isDefault: entry.isDefault,
            channels: entry.channels, address: source)
    }
}

extension ProviderEntry {
    fileprivate var isDefault: Bool { properties["is-default"]?.boolValue ?? false }

    /// As libcamera knows it from the machine's firmware.
    fileprivate var position: CaptureDevice.Position? {
        text("api.libcamera.location").flatMap { CaptureDevice.Position(rawValue: $0) }
    }

    /// Whether it hears what a loudspeaker plays. PipeWire's monitors do not say so, but are named by a rule.
    fileprivate var isMonitor: Bool {
        text("device.class") == "monitor" || text("stream.monitor") == "true"
            || text("node.name")?.hasSuffix(".monitor") == true
    }

    /// The device file of a camera that PipeWire opens through V4L2.
    fileprivate var v4l2Path: String? {
        if let path = text("api.v4l2.path") { return path }
        // PipeWire 0.3: "v4l2:/dev/video0".
        guard let object = text("object.path"), object.hasPrefix("v4l2:") else { return nil }
        return String(object.dropFirst("v4l2:".count))
    }

    fileprivate var channels: Int? {
        text("audio.channels").flatMap(Int.init) ?? caps.first?["channels"]?.intValue
    }
}
