extension DeviceControl {
    /// What is known of a control of the kernel beyond what its driver says.
    private struct Known: Sendable {
        let id: UInt32
        let name: String
        let scale: @Sendable (V4L2Control) -> Scale?
        /// The control that lets the camera see to it, and what that is when the camera does not.
        var automatic: (id: UInt32, off: Int32)?
    }

    private static let known: [Known] = [
        Known(
            id: V4L2ID.exposureTime, name: "exposure", scale: { _ in .number(1e-4, offset: 0, .seconds) },
            automatic: (V4L2ID.exposureMode, V4L2ID.manualExposure)),
        Known(
            id: V4L2ID.exposure, name: "exposure", scale: { _ in nil },
            automatic: (V4L2ID.exposureMode, V4L2ID.manualExposure)),
        Known(id: V4L2ID.exposureBias, name: "exposure-compensation", scale: bias),
        Known(id: V4L2ID.gain, name: "gain", scale: { _ in nil }, automatic: (V4L2ID.automaticGain, 0)),
        Known(
            id: V4L2ID.whiteBalance, name: "white-balance", scale: { _ in .number(1, offset: 0, .kelvin) },
            automatic: (V4L2ID.automaticWhiteBalance, 0)),
        Known(id: V4L2ID.focus, name: "focus", scale: share, automatic: (V4L2ID.automaticFocus, 0)),
        Known(id: V4L2ID.zoom, name: "zoom", scale: factor),
        Known(id: V4L2ID.pan, name: "pan", scale: { _ in .number(1 / 3600, offset: 0, .degrees) }),
        Known(id: V4L2ID.tilt, name: "tilt", scale: { _ in .number(1 / 3600, offset: 0, .degrees) }),
        Known(id: V4L2ID.powerLineFrequency, name: "power-line-frequency", scale: { _ in .powerLine }),
        Known(
            id: V4L2ID.flashMode, name: "torch",
            scale: { control in control.items.contains { $0.index == V4L2ID.torch } ? .torch : nil }),
    ]

    /// A camera's controls: those that have a name in the field first, then the others as the driver calls them.
    static func list(of controls: [V4L2Control]) -> [DeviceControl] {
        let named = known.compactMap { known -> DeviceControl? in
            guard let control = controls.first(where: { $0.id == known.id }) else { return nil }
            let automatic = known.automatic.flatMap { partner in
                controls.first { $0.id == partner.id }.map { Automatic($0, off: partner.off) }
            }
            return DeviceControl(
                name: known.name, scale: known.scale(control) ?? scale(of: control), control: control,
                automatic: automatic)
        }
        let taken = Set(named.flatMap { [$0.control.id, $0.automatic?.control.id ?? 0] })
        let others = controls.filter { !taken.contains($0.id) }.map {
            DeviceControl(name: slug($0.title), scale: scale(of: $0), control: $0, automatic: nil)
        }
        var names: Set<String> = []
        return (named + others).filter { !$0.name.isEmpty && names.insert($0.name).inserted }
    }

    private static func scale(of control: V4L2Control) -> Scale {
        switch control.kind {
        case .integer: .number(1, offset: 0, nil)
        case .boolean: .flag
        case .menu: .menu
        case .integerMenu: .numbers(1, nil)
        }
    }

    /// The kernel's unit is a thousandth of an EV.
    @Sendable private static func bias(_ control: V4L2Control) -> Scale? {
        switch control.kind {
        case .integerMenu: .numbers(0.001, .exposureValues)
        case .integer: .number(0.001, offset: 0, .exposureValues)
        default: nil
        }
    }

    /// From 0, the nearest or farthest that the lens goes to, up to 1.
    @Sendable private static func share(_ control: V4L2Control) -> Scale? {
        let (low, high) = (Double(control.range.lowerBound), Double(control.range.upperBound))
        return high > low ? .number(1 / (high - low), offset: -low / (high - low), nil) : nil
    }

    /// The kernel gives no unit; cameras count in focal lengths, the widest being the smallest. One that begins at zero says no factor.
    @Sendable private static func factor(_ control: V4L2Control) -> Scale? {
        control.range.lowerBound > 0 ? .number(1 / Double(control.range.lowerBound), offset: 0, .factor) : nil
    }
}

extension DeviceControl.Automatic {
    init(_ control: V4L2Control, off: Int32) {
        let modes = control.kind == .menu ? control.items.map(\.index).filter { $0 != off } : [1]
        let best = [control.defaultValue, V4L2ID.apertureExposure, 0].first(where: modes.contains)
        self.init(control: control, on: best ?? modes.first, off: off)
    }
}
