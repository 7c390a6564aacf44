/// Frames that lie on a sphere or another solid around the viewer, such as 360° video, as their file says it.
package struct SphericalVideo: Sendable, Hashable {
    /// By the numbers of Matroska's `ProjectionType` (RFC 9559 section 5.1.4.1.28.42).
    enum Shape: UInt64, Sendable, CaseIterable {
        case equirectangular = 1
        case cubemap = 2
        case mesh = 3

        /// The box that describes it (Google's Spherical Video V2).
        var box: FourCC {
            switch self {
            case .equirectangular: "equi"
            case .cubemap: "cbmp"
            case .mesh: "mshp"
            }
        }
    }

    /// Where the viewer looks at first, in degrees.
    struct Pose: Sendable, Hashable {
        var (yaw, pitch, roll) = (0.0, 0.0, 0.0)
    }

    /// nil where it is one that nothing here knows, so that only its boxes can be handed on.
    private(set) var shape: Shape?
    /// The payload of the shape's box, version and flags included, which Matroska calls `ProjectionPrivate`.
    private(set) var details: [UInt8] = []
    private(set) var pose = Pose()
    /// The payloads of the boxes as they were read: `sv3d`, and the `uuid` box of its first version.
    private var (second, first): ([UInt8]?, [UInt8]?)

    /// Reads `sv3d` and the `uuid` box of a QuickTime or MP4 track; nil where it has neither.
    init?(_ entry: SampleEntry, in trak: Box) {
        second = entry["sv3d"].flatMap { try? $0.serialized() }.map { Array($0.dropFirst(8)) }
        first = trak.all("uuid").first { $0.payload.starts(with: Self.firstVersion) }.map { Array($0.payload) }
        guard second != nil || first != nil else { return nil }
        if let second {
            read(second)
        } else if let text = firstText, text.contains("equirectangular"), !text.contains("Cropped") {
            (shape, details) = (.equirectangular, Self.wholeSphere)
        }
    }

    /// What another kind of file says.
    ///
    /// - Parameter details: those of a whole sphere or of six plain sides where it says none.
    /// - Returns: nil for a mesh that is not described.
    init?(_ shape: Shape, details: [UInt8]?, pose: Pose) {
        self.shape = shape
        self.pose = pose
        switch shape {
        case .equirectangular: self.details = details ?? Self.wholeSphere
        case .cubemap: self.details = details ?? [UInt8](repeating: 0, count: 12)
        case .mesh:
            guard let details else { return nil }
            self.details = details
        }
    }

    /// Of the first version, which is a text of XML (Google's Spherical Video RFC).
    private static let firstVersion: [UInt8] = [
        0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
    ]
    /// Version, flags, and how much lies outside of the frame at each of its edges.
    private static let wholeSphere = [UInt8](repeating: 0, count: 20)

    private var firstText: String? {
        first.map { String(decoding: $0.dropFirst(Self.firstVersion.count), as: UTF8.self) }
    }

    /// - Parameter second: the payload of `sv3d`.
    private mutating func read(_ second: [UInt8]) {
        func boxes(_ bytes: ArraySlice<UInt8>) -> [Box] { (try? Box.boxes(in: bytes, at: 0).boxes) ?? [] }
        guard let projection = boxes(second[...]).first(where: { $0.type == "proj" }) else { return }
        for box in boxes(projection.payload) {
            if box.type == "prhd" {
                // 16.16 fixed point.
                let angles = (0..<3).map { index in
                    UInt32(bigEndianBytes: box.payload.dropFirst(4 + 4 * index).prefix(4)).map {
                        Double(Int32(bitPattern: $0)) / 65_536
                    } ?? 0
                }
                pose = Pose(yaw: angles[0], pitch: angles[1], roll: angles[2])
            } else if let found = Shape.allCases.first(where: { $0.box == box.type }) {
                (shape, details) = (found, Array(box.payload))
            }
        }
    }

    /// Whether scaled frames are still what it describes: some count in pixels.
    package var survivesScaling: Bool {
        // Behind version, flags and the layout: how far the sides lie apart.
        let padding = shape == .cubemap ? Array(details.dropFirst(8).prefix(4)) : []
        return padding.allSatisfy { $0 == 0 } && firstText?.contains("Pixels>") != true
    }

    /// What a QuickTime or MP4 track says of it: a box of its sample entry, and one of its own.
    func boxes() throws(MovieFileError) -> (entry: Box?, track: Box?) {
        let track = first.map { Box(type: "uuid", fileOffset: 0, payload: $0[...]) }
        if let second { return (Box(type: "sv3d", fileOffset: 0, payload: second[...]), track) }
        guard first == nil, let shape else { return (nil, track) }
        // The name of what made it, which is nobody's.
        let source = try Box(full: "svhd") { (writer: inout ByteWriter) in writer.append(UInt8(0)) }
        let header = try Box(full: "prhd") { (writer: inout ByteWriter) in
            for angle in [pose.yaw, pose.pitch, pose.roll] {
                writer.append(UInt32(bitPattern: Int32(clamping: Int64((angle.clamped(to: 360) * 65_536).rounded()))))
            }
        }
        let description = Box(type: shape.box, fileOffset: 0, payload: details[...])
        return (Box("sv3d", children: [source, Box("proj", children: [header, description])]), track)
    }

    /// A sentence for a file that does not say it.
    ///
    /// - Parameter reason: why, such as "which is not kept in MP4 here".
    package static func omission(_ reason: String) -> String {
        "The frames lie all around the viewer (360°), \(reason); players show them flat."
    }

    /// The same for a kind of file that cannot.
    package static func omission(in container: String) -> String { omission("which is not kept in \(container) here") }
}

extension Double {
    /// The nearest number that is not further from 0.
    fileprivate func clamped(to limit: Double) -> Double { isFinite ? min(max(self, -limit), limit) : 0 }
}
