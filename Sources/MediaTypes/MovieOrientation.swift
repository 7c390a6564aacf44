/// How a player shows the stored frame: mirrored first where it is, then turned clockwise.
public struct MovieOrientation: Hashable, Sendable {
    /// A clockwise turn, as the viewer sees it.
    public enum Rotation: Int, CaseIterable, Codable, Sendable {
        /// As stored.
        case none = 0
        /// The stored frame's left edge is shown at the top.
        case quarter = 90
        /// Upside down.
        case half = 180
        /// The stored frame's right edge is shown at the top.
        case threeQuarters = 270

        /// Whether what was wide is high afterwards.
        package var swapsWidthAndHeight: Bool { self == .quarter || self == .threeQuarters }

        /// - Parameter degrees: a multiple of 90, clockwise.
        package func turned(by degrees: Int) -> Rotation {
            Rotation(rawValue: ((rawValue + degrees) % 360 + 360) % 360) ?? .none
        }
    }

    /// The turn, after mirroring.
    public var rotation: Rotation
    /// Whether left and right are exchanged, before the turn.
    public var isMirrored: Bool

    /// The stored frame as it is.
    public static let upright = MovieOrientation()

    /// Mirrored first where it is, then turned clockwise.
    public init(rotation: Rotation = .none, isMirrored: Bool = false) {
        self.rotation = rotation
        self.isMirrored = isMirrored
    }

    /// An orientation by angle: 0, 90, 180 or 270 degrees clockwise; nil for any other angle.
    package init?(degrees: Int, isMirrored: Bool = false) {
        guard let rotation = Rotation(rawValue: degrees) else { return nil }
        self.init(rotation: rotation, isMirrored: isMirrored)
    }

    /// Whether the shown frame is as wide as the stored one is high.
    package var swapsWidthAndHeight: Bool {
        rotation.swapsWidthAndHeight
    }

    /// How large frames of a size are when they are shown.
    package func shown(_ size: VideoSize) -> VideoSize {
        swapsWidthAndHeight ? VideoSize(size.height, size.width) : size
    }

    /// What undoes it.
    package var inverse: MovieOrientation {
        isMirrored ? self : MovieOrientation(rotation: rotation.turned(by: -2 * rotation.rawValue))
    }

    /// This one first, and then the other.
    package func followed(by next: MovieOrientation) -> MovieOrientation {
        // A mirror turns a turn round.
        let degrees =
            next.isMirrored ? next.rotation.rawValue - rotation.rawValue : next.rotation.rawValue + rotation.rawValue
        return MovieOrientation(rotation: .none.turned(by: degrees), isMirrored: isMirrored != next.isMirrored)
    }
}
