import GStreamer

/// A device as its provider describes it, as a value.
struct ProviderEntry: Sendable, Equatable {
    var backend: CaptureDevice.Backend
    var name: String
    /// Such as "Video/Source".
    var deviceClass: String
    var properties: Structure
    /// The structures of the caps.
    var caps: [Structure]

    init(
        backend: CaptureDevice.Backend, name: String, deviceClass: String,
        properties: [String: FieldValue] = [:], caps: [Structure] = []
    ) {
        self.backend = backend
        self.name = name
        self.deviceClass = deviceClass
        self.properties = Structure(name: "properties", fields: properties)
        self.caps = caps
    }

    init(_ device: Device, backend: CaptureDevice.Backend) {
        self.backend = backend
        name = device.displayName
        deviceClass = device.deviceClass
        properties = device.properties
        caps = device.caps?.structures ?? []
    }

    func text(_ property: String) -> String? {
        properties[property]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
}
