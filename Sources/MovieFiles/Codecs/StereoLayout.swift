/// How the images of both eyes lie in one frame, the left eye's first.
enum StereoLayout: UInt8, Sendable {
    /// By the numbers of `st3d` (Google's Spherical Video V2).
    case topBottom = 1
    case sideBySide = 2

    /// - Parameter matroska: `StereoMode` (RFC 9559 section 5.1.4.1.28.3); nil for those whose right eye comes first, or in other ways.
    init?(matroska: UInt64) {
        switch matroska {
        case 1: self = .sideBySide
        case 3: self = .topBottom
        default: return nil
        }
    }

    /// Reads `st3d`.
    init?(_ entry: SampleEntry) {
        guard let mode = entry["st3d"]?.payload.dropFirst(4).first else { return nil }
        self.init(rawValue: mode)
    }

    /// Its `StereoMode`.
    var matroska: UInt64 {
        switch self {
        case .sideBySide: 1
        case .topBottom: 3
        }
    }

    /// How many images a frame has.
    var views: (across: UInt64, down: UInt64) {
        switch self {
        case .sideBySide: (2, 1)
        case .topBottom: (1, 2)
        }
    }

    func box() throws(MovieFileError) -> Box {
        try Box(full: "st3d") { (writer: inout ByteWriter) in writer.append(rawValue) }
    }
}
