import Capture
import LiveActivity

/// What can be set of a device, as lines for people below its own.
struct ControlTable {
    let lines: [String]

    init(of device: CaptureDevice, _ known: DeviceControls) {
        if device.kind == .microphone {
            lines = known.volumes[device.id].map { ["      volume \($0.words)"] } ?? []
            return
        }
        let controls = known.cameras[device.id] ?? []
        let (name, value) = (
            controls.map(\.name.count).max() ?? 0, min(20, controls.map { Self.value($0).count }.max() ?? 0)
        )
        lines = controls.flatMap { control in
            let head = "      \(control.name.padded(to: name))  \(Self.value(control).padded(to: value))"
            let line =
                control.isReadOnly
                ? "\(head)  read-only" : "\(head)  \(control.choices); default \(control.defaultValue)"
            return TerminalText.wrapped(line, to: Self.width, indent: 8).split(separator: "\n").map(String.init)
        }
    }

    /// Columns, as many as every terminal has.
    private static let width = 80

    /// What it is, and whether that has an effect.
    private static func value(_ control: DeviceControl) -> String {
        control.isInactive && control.isAutomatic == nil ? "(\(control.value))" : control.value
    }
}
