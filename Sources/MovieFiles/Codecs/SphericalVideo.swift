/// Frames that lie on a sphere or another solid around the viewer, such as 360° video.
enum SphericalVideo {
    /// Whether a QuickTime or MP4 track says so: `sv3d` (Google's Spherical Video V2), or the `uuid` box of its first version.
    static func isTold(by entry: SampleEntry, in trak: Box) -> Bool {
        entry["sv3d"] != nil || trak.all("uuid").contains { $0.payload.starts(with: firstVersion) }
    }

    private static let firstVersion: [UInt8] = [
        0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
    ]

    /// A sentence for a copy that does not say it.
    ///
    /// - Parameter container: the kind of file that cannot.
    static func omission(in container: String) -> String {
        "The frames lie all around the viewer (360°), which is not kept in \(container) here; players show them flat."
    }
}
