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
}
