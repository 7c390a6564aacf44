import Capture

/// A camera's control in `rushes devices --controls --json`; its fields are a contract.
struct ControlLine: Encodable {
    var name: String
    /// As it is typed and shown: "auto", "12.5 ms".
    var value: String
    var defaultValue: String
    /// In `unit`; `nil` for switches and menus.
    var number: Double?
    var unit: String?
    var minimum: Double?
    var maximum: Double?
    var step: Double?
    /// Of switches and menus.
    var items: [String]?
    /// Whether the camera sees to it now; `nil` where it never does.
    var automatic: Bool?
    var readOnly: Bool
    var inactive: Bool

    enum CodingKeys: String, CodingKey {
        case name, value, number, unit, minimum, maximum, step, items, automatic, readOnly, inactive
        case defaultValue = "default"
    }

    init(_ control: DeviceControl) {
        (name, value, defaultValue) = (control.name, control.value, control.defaultValue)
        (number, unit, step, items) = (control.number, control.unit?.rawValue, control.step, control.items)
        (minimum, maximum) = (control.range?.lowerBound, control.range?.upperBound)
        (automatic, readOnly, inactive) = (control.isAutomatic, control.isReadOnly, control.isInactive)
    }
}

/// How loud a microphone is in the sound settings.
struct VolumeLine: Encodable {
    var percent: Int
    /// 0 is 100 %; `nil` for silence.
    var decibels: Double?
    var muted: Bool

    init(_ volume: MicrophoneVolume) {
        (percent, decibels, muted) = (volume.percent, volume.decibels, volume.isMuted)
    }
}
