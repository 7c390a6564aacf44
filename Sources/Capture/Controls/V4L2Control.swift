import CV4L2

/// A control as a V4L2 driver describes it, in the driver's own numbers.
struct V4L2Control: Sendable, Hashable {
    /// What its number stands for.
    enum Kind: Sendable, Hashable {
        case integer, boolean
        /// One of ``items``, by its index.
        case menu
        /// The same, and each item is a number of its own.
        case integerMenu
    }

    struct Item: Sendable, Hashable {
        let index: Int32
        var title = ""
        /// Of an integer menu.
        var number: Int64 = 0
    }

    /// The kernel's number of it, such as 0x00980913 for the gain.
    let id: UInt32
    var kind = Kind.integer
    /// The driver's name: "Gain, Automatic".
    var title: String
    var range: ClosedRange<Int32>
    /// At least 1.
    var step: Int32 = 1
    var defaultValue: Int32 = 0
    /// What it is now; `nil` where the driver does not tell.
    var value: Int32?
    var isReadOnly = false
    /// Without effect just now, as another control sees to it.
    var isInactive = false
    var items: [Item] = []

    /// The nearest number that its range and step allow.
    func nearest(to wanted: Double) -> Int32 {
        guard wanted.isFinite else { return wanted < 0 ? range.lowerBound : range.upperBound }
        let (low, high) = (Double(range.lowerBound), Double(range.upperBound))
        let steps = ((min(max(wanted, low), high) - low) / Double(step)).rounded()
        let value = low + steps * Double(step)
        return Int32(value > high ? value - Double(step) : value)
    }
}

/// The kernel's numbers of the controls that have a name, a unit or a partner here (linux/v4l2-controls.h).
enum V4L2ID {
    static let exposureMode: UInt32 = 0x009a_0901
    static let exposureTime: UInt32 = 0x009a_0902
    static let exposureBias: UInt32 = 0x009a_0913
    /// In lines of the sensor, or in no unit at all.
    static let exposure: UInt32 = 0x0098_0911
    static let automaticGain: UInt32 = 0x0098_0912
    static let gain: UInt32 = 0x0098_0913
    static let automaticWhiteBalance: UInt32 = 0x0098_090c
    static let whiteBalance: UInt32 = 0x0098_091a
    static let automaticFocus: UInt32 = 0x009a_090c
    static let focus: UInt32 = 0x009a_090a
    static let zoom: UInt32 = 0x009a_090d
    static let pan: UInt32 = 0x009a_0908
    static let tilt: UInt32 = 0x009a_0909
    static let powerLineFrequency: UInt32 = 0x0098_0918
    static let flashMode: UInt32 = 0x009c_0901

    /// Those of the sound of television cards: volume to loudness.
    static let audio: ClosedRange<UInt32> = 0x0098_0905...0x0098_090a
    /// The classes that are about frames: user, camera, flash, image source and image processing.
    static let classes: Set<UInt32> = [0x0098, 0x009a, 0x009c, 0x009e, 0x009f]
    /// Of ``exposureMode``: not the camera's choice.
    static let manualExposure: Int32 = 1
    /// Of ``exposureMode``: the camera's choice, also where it has no iris.
    static let apertureExposure: Int32 = 3
    /// Of ``flashMode``.
    static let torch: Int32 = 2
}
