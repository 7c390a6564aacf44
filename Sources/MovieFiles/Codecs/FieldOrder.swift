/// Which field of an interlaced frame is shown first.
package enum FieldOrder: Sendable, Hashable {
    /// The first row belongs to the field that is shown first.
    case topFirst
    /// The first row belongs to the field that is shown second.
    case bottomFirst

    /// What `fiel` tells (QuickTime File Format, "Field handling"): the number of fields, and which of them is shown and stored first.
    ///
    /// - Returns: nil where it does not tell of two fields.
    init?(_ entry: SampleEntry) {
        guard let fields = entry["fiel"].map({ Array($0.payload.prefix(2)) }), fields.count == 2, fields[0] == 2 else {
            return nil
        }
        switch fields[1] {
        case 1, 14: self = .topFirst
        case 6, 9: self = .bottomFirst
        default: return nil
        }
    }

    /// What Matroska tells (RFC 9559, 5.1.4.1.28.1 and 5.1.4.1.28.2).
    ///
    /// - Returns: nil where it does not tell that the frames are interlaced, and how.
    init?(_ track: TrackEntry) {
        guard track.video?.unsigned(.flagInterlaced) == 1 else { return nil }
        switch track.video?.unsigned(.fieldOrder) {
        case 1, 9: self = .topFirst
        case 6, 14: self = .bottomFirst
        default: return nil
        }
    }
}
