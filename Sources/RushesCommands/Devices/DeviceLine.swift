import Capture
import Foundation
import GStreamer

/// A device as one line of `rushes devices --json`; its fields are a contract.
struct DeviceLine: Encodable {
    /// With --watch: added, removed or changed.
    var event: String?
    var id: String
    var name: String
    var kind: String
    var backend: String
    var isDefault: Bool
    var path: String?
    var formats: [Format]
    /// With --controls: of a camera.
    var controls: [ControlLine]?
    /// With --controls: of a microphone.
    var volume: VolumeLine?

    struct Format: Encodable {
        var encoding: String
        var pixelFormat: String?
        var width: Int
        var height: Int
        /// Frames a second, to three decimals: 29.97 is 30000/1001.
        var rates: [Double]

        enum CodingKeys: String, CodingKey { case encoding, pixelFormat, width, height, rates }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(encoding, forKey: .encoding)
            try container.encode(pixelFormat, forKey: .pixelFormat)
            try container.encode(width, forKey: .width)
            try container.encode(height, forKey: .height)
            try container.encode(rates, forKey: .rates)
        }
    }

    enum CodingKeys: String, CodingKey {
        case event, id, name, kind, backend, path, formats, controls, volume
        case isDefault = "default"
    }

    init(_ device: CaptureDevice, _ known: DeviceControls? = nil, event: String? = nil) {
        self.event = event
        controls =
            device.kind == .camera ? known.map { $0.cameras[device.id, default: []].map { ControlLine($0) } } : nil
        volume = device.kind == .microphone ? known?.volumes[device.id].map { VolumeLine($0) } : nil
        id = device.id
        name = device.name
        kind = device.kind.rawValue
        backend = device.backend.rawValue
        isDefault = device.isDefault
        path = device.path
        formats = device.formats.map { format in
            Format(
                encoding: format.encoding.rawValue, pixelFormat: format.pixelFormat, width: format.width,
                height: format.height, rates: format.rates.map { ($0.doubleValue * 1000).rounded() / 1000 })
        }
    }

    init(_ change: DeviceDiscovery.Change) {
        switch change {
        case .added(let device): self.init(device, event: "added")
        case .removed(let device): self.init(device, event: "removed")
        case .changed(let device): self.init(device, event: "changed")
        }
    }

    /// Fields that are not known are null, not left out, so that a reader finds every name; only `event`, `controls` and `volume` come and go.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(event, forKey: .event)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(kind, forKey: .kind)
        try container.encode(backend, forKey: .backend)
        try container.encode(isDefault, forKey: .isDefault)
        try container.encode(path, forKey: .path)
        try container.encode(formats, forKey: .formats)
        try container.encodeIfPresent(controls, forKey: .controls)
        try container.encodeIfPresent(volume, forKey: .volume)
    }

    /// The line, without its end.
    var text: String {
        get throws {
            try JSONText.line(self)
        }
    }
}
