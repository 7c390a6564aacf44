import MediaTypes

/// A control of a camera in the field's words and units, over one or two of the driver's.
package struct DeviceControl: Sendable, Hashable {
    /// What its numbers are in.
    package enum Unit: String, Sendable {
        case seconds = "s"
        case kelvin = "K"
        case degrees = "°"
        case exposureValues = "EV"
        /// Times the widest field of view.
        case factor = "x"
    }

    /// How the driver's number becomes the field's.
    enum Scale: Sendable, Hashable {
        /// One of the driver's steps, in the unit, and what the driver's zero is.
        case number(Double, offset: Double, Unit?)
        case flag
        case menu
        /// The numbers of an integer menu, times this.
        case numbers(Double, Unit?)
        case powerLine
        case torch
    }

    /// What lets the camera see to it.
    struct Automatic: Sendable, Hashable {
        let control: V4L2Control
        /// The driver's number for the camera's choice; `nil` where it has none.
        let on: Int32?
        let off: Int32

        var isOn: Bool { control.value != nil && control.value != off }
    }

    /// Such as "exposure" or "white-balance": letters, digits and hyphens.
    package let name: String
    let scale: Scale
    let control: V4L2Control
    let automatic: Automatic?

    /// Of ``number`` and ``range``; `nil` for the device's own numbers.
    package var unit: Unit? {
        switch scale {
        case .number(_, _, let unit), .numbers(_, let unit): unit
        default: nil
        }
    }
    /// What it is now, where that is a number.
    package var number: Double? { control.value.flatMap(number(of:)) }
    /// In its unit, or the device's own numbers; `nil` for switches and menus.
    package var range: ClosedRange<Double>? {
        numbers.flatMap { numbers in
            guard let low = numbers.first, let high = numbers.last else { return nil }
            return low...high
        }
    }
    /// From one number to the next; `nil` where those are not even.
    package var step: Double? {
        guard case .number(let step, _, _) = scale else { return nil }
        return step * Double(control.step)
    }
    /// Of a switch or a menu, what it can be.
    package var items: [String]? { numbers == nil ? values.map(words(of:)) : nil }
    /// Whether the camera sees to it now; `nil` where it never does.
    package var isAutomatic: Bool? { automatic.flatMap { $0.on == nil ? nil : $0.isOn } }
    package var isReadOnly: Bool { control.isReadOnly }
    /// Whether it is without effect now, as another control sees to it.
    package var isInactive: Bool { control.isInactive }
    /// What it is now: "auto", "12.5 ms", "50".
    package var value: String { isAutomatic == true ? "auto" : control.value.map(words(of:)) ?? "unknown" }
    /// What the camera begins with.
    package var defaultValue: String {
        if let automatic, automatic.on != nil, automatic.control.defaultValue != automatic.off { return "auto" }
        return words(of: control.defaultValue)
    }

    /// The driver's numbers of a switch or a menu.
    var values: [Int32] {
        switch scale {
        case .flag: [0, 1]
        case .torch: [0, V4L2ID.torch]
        case .number: [control.range.lowerBound, control.range.upperBound]
        case .menu, .numbers, .powerLine: control.items.map(\.index)
        }
    }

    /// What of ``values`` are numbers, in order; `nil` for switches and menus.
    private var numbers: [Double]? {
        let numbers = values.compactMap(number(of:)).sorted()
        return numbers.isEmpty ? nil : numbers
    }

    private func number(of value: Int32) -> Double? {
        switch scale {
        case .number(let step, let offset, _): Double(value) * step + offset
        case .numbers(let step, _): control.items.first { $0.index == value }.map { Double($0.number) * step }
        default: nil
        }
    }

    /// One of the driver's numbers, for people.
    func words(of value: Int32) -> String {
        switch scale {
        case .flag: value == 0 ? "off" : "on"
        case .torch: value == V4L2ID.torch ? "on" : value == 0 ? "off" : "flash"
        case .powerLine: Self.powerLine.first { $0.value == value }?.word ?? "\(value)"
        case .menu: control.items.first { $0.index == value }.map { Self.slug($0.title) } ?? "\(value)"
        case .number, .numbers: number(of: value).map { Self.words($0, unit) } ?? "\(value)"
        }
    }

    /// The kernel's menu, in the words of cameras' settings.
    static let powerLine: [(value: Int32, word: String)] = [(0, "off"), (1, "50"), (2, "60"), (3, "auto")]

    /// A title as a name: "Backlight Compensation" is "backlight-compensation".
    static func slug(_ title: String) -> String {
        title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
}

/// What can be set of each device.
package struct DeviceControls: Sendable {
    /// Of cameras, by their identifiers; nothing of one that has none, or whose controls may not be read.
    package private(set) var cameras: [String: [DeviceControl]] = [:]
    /// Of microphones, by their identifiers.
    package let volumes: [String: MicrophoneVolume]

    /// Asks the drivers of all cameras at once, in a few seconds at most.
    package init(of devices: [CaptureDevice]) async {
        volumes = AudioServerWatch.shared.volumes
        await withTaskGroup(of: (String, [DeviceControl]).self) { group in
            for device in devices where device.kind == .camera {
                guard let path = device.path else { continue }
                group.addTask { (device.id, await CameraControls.controls(at: path)) }
            }
            for await (id, controls) in group { cameras[id] = controls }
        }
    }
}
