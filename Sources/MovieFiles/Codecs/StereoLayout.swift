/// How the images of both eyes lie in the frames of a track, by the numbers of `StereoMode` (RFC 9559 section 5.1.4.1.28.3).
///
/// Where nothing else is said, the left eye's image is the upper one, or the left one.
package enum StereoLayout: UInt64, Sendable, CaseIterable {
    case sideBySide = 1
    case bottomTop = 2
    case topBottom = 3
    case checkerboardRightFirst = 4
    case checkerboard = 5
    case rowsRightFirst = 6
    case rows = 7
    case columnsRightFirst = 8
    case columns = 9
    case anaglyphCyanRed = 10
    case sideBySideRightFirst = 11
    case anaglyphGreenMagenta = 12
    case frames = 13
    case framesRightFirst = 14

    /// Reads `st3d` (Google's Spherical Video V2), or else `vexu` (Apple, "QuickTime and ISO Base Media File Formats and Spatial and
    /// Immersive Media", sections 3 and 6).
    init?(_ entry: SampleEntry) {
        switch entry["st3d"]?.payload.dropFirst(4).first {
        case 1: self = .topBottom
        case 2: self = .sideBySide
        default:
            guard let vexu = entry["vexu"], let packing = vexu.inside("pack", "pkin")?.dropFirst(4).prefix(4) else {
                return nil
            }
            let isReversed = vexu.inside("eyes", "stri")?.dropFirst(4).first.map { $0 & Self.isReversed != 0 } ?? false
            switch String(decoding: packing, as: UTF8.self) {
            case "side": self = isReversed ? .sideBySideRightFirst : .sideBySide
            case "over": self = isReversed ? .bottomTop : .topBottom
            default: return nil
            }
        }
    }

    /// The right eye's image comes first; the others say which eyes there are images for.
    private static let (hasLeft, hasRight, isReversed): (UInt8, UInt8, UInt8) = (1, 2, 8)

    /// The box that says it in QuickTime and MP4: `st3d`, which has no word for a right eye that comes first, or `vexu`; nil where neither
    /// says it.
    func box() throws(MovieFileError) -> Box? {
        switch self {
        case .topBottom, .sideBySide:
            try Box(full: "st3d") { (writer: inout ByteWriter) in writer.append(UInt8(self == .topBottom ? 1 : 2)) }
        case .bottomTop, .sideBySideRightFirst:
            Box(
                "vexu",
                children: [
                    Box(
                        "eyes",
                        children: [
                            try Box(full: "stri") { (writer: inout ByteWriter) in
                                writer.append(Self.hasLeft | Self.hasRight | Self.isReversed)
                            }
                        ]),
                    Box(
                        "pack",
                        children: [
                            try Box(full: "pkin") { (writer: inout ByteWriter) in
                                writer.append(FourCC(self == .bottomTop ? "over" : "side"))
                            }
                        ]),
                ])
        default: nil
        }
    }

    /// Whether QuickTime and MP4 can say it.
    package var hasBox: Bool { ((try? box()) ?? nil) != nil }

    /// Whether scaling mixes both images.
    package var isInterleaved: Bool {
        [.checkerboard, .checkerboardRightFirst, .rows, .rowsRightFirst, .columns, .columnsRightFirst].contains(self)
    }

    /// Whether WebM can say it (WebM Container Guidelines).
    package var isInWebM: Bool { [.sideBySide, .bottomTop, .topBottom, .sideBySideRightFirst].contains(self) }

    /// How many images a frame has, where its size is told of one of them.
    var views: (across: UInt64, down: UInt64) {
        switch self {
        case .sideBySide, .sideBySideRightFirst, .columns, .columnsRightFirst: (2, 1)
        case .topBottom, .bottomTop, .rows, .rowsRightFirst: (1, 2)
        default: (1, 1)
        }
    }

    /// In words, such as "side by side, right eye first".
    package var displayName: String {
        switch self {
        case .sideBySide: "side by side"
        case .sideBySideRightFirst: "side by side, right eye first"
        case .topBottom: "top and bottom"
        case .bottomTop: "top and bottom, right eye first"
        case .checkerboard: "checkerboard"
        case .checkerboardRightFirst: "checkerboard, right eye first"
        case .rows: "row by row"
        case .rowsRightFirst: "row by row, right eye first"
        case .columns: "column by column"
        case .columnsRightFirst: "column by column, right eye first"
        case .anaglyphCyanRed: "anaglyph, cyan and red"
        case .anaglyphGreenMagenta: "anaglyph, green and magenta"
        case .frames: "frame by frame"
        case .framesRightFirst: "frame by frame, right eye first"
        }
    }

    /// A sentence for a copy that does not say it.
    ///
    /// - Parameter container: the kind of file that cannot.
    package func omission(in container: String) -> String {
        "The frames have an image for each eye (\(displayName)), which \(container) has no word for; players show it flat."
    }
}

extension Box {
    /// The payload of a box within a box within this one, whose boxes are not taken apart when it is read.
    fileprivate func inside(_ types: FourCC...) -> ArraySlice<UInt8>? {
        var place: ArraySlice<UInt8>? = children == nil ? payload : try? serialized()[8...]
        for type in types {
            place = place.flatMap { try? Box.boxes(in: $0, at: 0).boxes }?.first { $0.type == type }?.payload
        }
        return place
    }
}
