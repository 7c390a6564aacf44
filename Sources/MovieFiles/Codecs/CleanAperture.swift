/// The part of each frame that is meant to be seen, where that is not all of it: a clean aperture (ISO/IEC 14496-12 section 12.1.4), or what
/// Matroska does not crop (RFC 9559, 5.1.4.1.28.7 to 5.1.4.1.28.10).
struct CleanAperture: Sendable, Equatable {
    /// In pixels.
    var width: Double
    var height: Double
    var frame: (width: UInt16, height: UInt16)

    static func == (one: Self, other: Self) -> Bool {
        (one.width, one.height) == (other.width, other.height) && one.frame == other.frame
    }

    /// - Returns: nil where the description of the frames says nothing, or that all is to be seen.
    init?(_ entry: SampleEntry) {
        guard let payload = entry["clap"]?.payload, payload.count >= 32,
            let width = UInt16(bigEndianBytes: entry.fields.dropFirst(24).prefix(2)),
            let height = UInt16(bigEndianBytes: entry.fields.dropFirst(26).prefix(2))
        else { return nil }
        func ratio(_ place: Int) -> Double {
            let numbers = [0, 4].map { UInt32(bigEndianBytes: payload.dropFirst(place + $0).prefix(4)) ?? 0 }
            return numbers[1] == 0 ? 0 : Double(numbers[0]) / Double(numbers[1])
        }
        self.init(width: ratio(0), height: ratio(8), of: (width, height))
    }

    /// - Returns: nil where all of a frame is to be seen.
    init?(width: Double, height: Double, of frame: (width: UInt16, height: UInt16)) {
        // Less than a pixel is nothing that anybody cuts off; and nothing at all cannot be meant.
        guard width >= 1, height >= 1, width <= Double(frame.width), height <= Double(frame.height),
            width <= Double(frame.width) - 1 || height <= Double(frame.height) - 1
        else { return nil }
        (self.width, self.height, self.frame) = (width, height, frame)
    }

    /// A sentence for what does not say so.
    var omission: String {
        "Left out: that \(Int(width.rounded()))×\(Int(height.rounded())) of the frames' \(frame.width)×\(frame.height) pixels are meant to be "
            + "seen (clean aperture); players show all."
    }
}
