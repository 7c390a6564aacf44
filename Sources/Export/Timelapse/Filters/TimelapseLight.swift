package import Imaging
import MediaTypes
import Photos

/// What is done about light that changes from frame to frame.
public struct TimelapseLight: Sendable, Hashable {
    /// Whether exposures that differ are evened out; a sunrise stays one. All frames are decoded twice for it.
    public var deflickers = false
    /// Whether frames whose light stands out of their neighbors' are left out: a flash, a car's lights. Those behind move up; with audio
    /// the frame before stands for them.
    public var dropsFlashes = false
    /// What of the frames is looked at, as they are shown; nil: all.
    package var region: FrameArea?

    /// Nothing.
    package init() {}

    /// Whether all frames are looked at first.
    var isMeasured: Bool { deflickers || dropsFlashes }
}

/// What was found out about the light of frames, by their numbers.
struct LightPlan: Sendable, Hashable {
    /// What their light is multiplied by, where that is not 1.
    var gains: [Int: Double] = [:]
    /// Those that are left out.
    var flashes: Set<Int> = []

    init() {}

    /// - Parameter lights: the mean linear light of each frame, by its number; nil where it is not known.
    init(_ lights: [(number: Int, light: Double?)], _ wish: TimelapseLight) {
        var values = lights.map(\.light)
        if wish.dropsFlashes {
            let outliers = LightOutliers.indices(of: values)
            for index in outliers { values[index] = nil }
            flashes = Set(outliers.map { lights[$0].number })
        }
        guard wish.deflickers else { return }
        for (frame, gain) in zip(lights, DeflickerCurve(values).gains) where gain != 1 { gains[frame.number] = gain }
    }

    /// Leaves none out that no frame stands before.
    ///
    /// - Parameter first: the number of the first frame.
    mutating func keepBeginning(from first: Int) {
        var number = first
        while flashes.remove(number) != nil { number += 1 }
    }
}

extension FrameArea {
    /// In a frame that is turned before it is shown: first mirrored, then clockwise.
    func stored(_ rotation: MovieOrientation.Rotation, isMirrored: Bool) -> FrameArea {
        var area = self
        switch rotation {
        case .none: break
        case .quarter: (area.x, area.y, area.width, area.height) = (y, 1 - x - width, height, width)
        case .half: (area.x, area.y) = (1 - x - width, 1 - y - height)
        case .threeQuarters: (area.x, area.y, area.width, area.height) = (1 - y - height, x, height, width)
        }
        if isMirrored { area.x = 1 - area.x - area.width }
        return area
    }
}
