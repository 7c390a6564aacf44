import Capture
import GStreamer

/// Devices as a table for people.
struct DeviceTable {
    let lines: [String]

    init(_ devices: [CaptureDevice], showsFormats: Bool = false, controls: DeviceControls? = nil) {
        var lines: [String] = []
        for kind in CaptureDevice.Kind.allCases {
            let members = devices.filter { $0.kind == kind }
            guard !members.isEmpty else { continue }
            if !lines.isEmpty { lines.append("") }
            lines.append(Self.title(kind))
            let nameWidth = members.map(\.name.count).max() ?? 0
            let idWidth = members.map(\.id.count).max() ?? 0
            for device in members {
                let name = device.name.padded(to: nameWidth)
                let id = device.id.padded(to: idWidth)
                lines.append("\(device.isDefault ? "*" : " ") \(name)  \(id)  \(Self.details(device))".trimmedAtEnd)
                if showsFormats { lines += Self.formatLines(device) }
                if let controls { lines += ControlTable(of: device, controls).lines }
            }
        }
        self.lines = lines
    }

    private static func title(_ kind: CaptureDevice.Kind) -> String {
        switch kind {
        case .camera: "Cameras"
        case .microphone: "Microphones"
        case .monitor: "What loudspeakers play (--microphone speakers is the default one)"
        }
    }

    static func line(_ change: DeviceDiscovery.Change) -> String {
        switch change {
        case .added(let device):
            "+ \(device.kind.rawValue) \(device.name)  \(device.id)  \(details(device))".trimmedAtEnd
        case .removed(let device): "- \(device.kind.rawValue) \(device.name)  \(device.id)"
        case .changed(let device):
            "~ \(device.kind.rawValue) \(device.name)  \(device.id)  \(details(device))".trimmedAtEnd
        }
    }

    /// The mode that is chosen by itself and the device file, or the channels.
    private static func details(_ device: CaptureDevice) -> String {
        var parts: [String] = []
        if let choice = try? FormatChoice(of: device, FormatRequest()) {
            parts.append("\(choice.words) \(choice.format.pixelFormat ?? choice.format.encoding.rawValue)")
        }
        if let channels = device.channels { parts.append(channels == 1 ? "1 channel" : "\(channels) channels") }
        if device.isInfrared { parts.append("infrared") }
        if let path = device.path { parts.append(path) }
        return parts.joined(separator: ", ")
    }

    private static func formatLines(_ device: CaptureDevice) -> [String] {
        device.formats.map { format in
            let kind = (format.pixelFormat ?? format.encoding.rawValue).padded(to: 10)
            let size = "\(format.size)".padded(to: 9)
            return "      \(kind)  \(size)  \(format.rates.map(\.rateText).joined(separator: " "))"
        }
    }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
