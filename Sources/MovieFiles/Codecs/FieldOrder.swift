/// Which field of an interlaced frame is shown first.
package enum FieldOrder: Sendable, Hashable {
    /// The first row belongs to the field that is shown first.
    case topFirst
    /// The first row belongs to the field that is shown second.
    case bottomFirst

    /// The numbers of QuickTime's `fiel` and of Matroska (RFC 9559, 5.1.4.1.28.2). 1 and 6 are fields that are stored one behind the other; 9 and
    /// 14 are interleaved rows, the first of which is shown first or second. The text of the QuickTime File Format has these two exchanged, and
    /// Apple's own constants and writers do not follow it (TN2162: "spatial first line early", "late").
    init?(number: some BinaryInteger) {
        switch number {
        case 1, 9: self = .topFirst
        case 6, 14: self = .bottomFirst
        default: return nil
        }
    }

    /// What `fiel` tells (QuickTime File Format, "Field handling"): the number of fields, and their order.
    ///
    /// - Returns: nil where it does not tell of two fields.
    init?(_ entry: SampleEntry) {
        guard let fields = entry["fiel"].map({ Array($0.payload.prefix(2)) }), fields.count == 2, fields[0] == 2 else {
            return nil
        }
        self.init(number: fields[1])
    }
}
