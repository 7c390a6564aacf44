import MediaTypes

/// How the machine is held, seen by somebody who looks at its screen: the names of iio-sensor-proxy's `AccelerometerOrientation`.
enum DeviceOrientation: String, Sendable, CaseIterable {
    case normal
    /// Turned clockwise: its left edge is at the top.
    case leftUp = "left-up"
    case rightUp = "right-up"
    case bottomUp = "bottom-up"

    /// How far the machine is turned clockwise.
    var turn: MovieOrientation.Rotation {
        switch self {
        case .normal: .none
        case .leftUp: .quarter
        case .bottomUp: .half
        case .rightUp: .threeQuarters
        }
    }

    /// How far frames of a camera that is built into the machine are turned clockwise, so that the horizon is level. What its left edge is
    /// for somebody before the screen is the left edge of the frame of a camera that looks away from them, and the right one of a camera
    /// that looks at them.
    ///
    /// - Parameter position: a camera of unknown place is a notebook's, above the screen; one on a cable is not turned with the machine.
    func rotation(of position: CaptureDevice.Position?) -> MovieOrientation.Rotation {
        switch (position, self) {
        case (.external, _), (_, .normal): .none
        case (_, .bottomUp): .half
        case (.back, .leftUp), (.front, .rightUp), (nil, .rightUp): .quarter
        case (.back, .rightUp), (.front, .leftUp), (nil, .leftUp): .threeQuarters
        }
    }
}
