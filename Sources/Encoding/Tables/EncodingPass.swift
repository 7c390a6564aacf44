/// One of two passes over the same frames: the first only learns how hard each of them is, the second spends the bits by that.
package enum EncodingPass: Sendable, Hashable {
    /// Nothing of what it encodes is kept. The statistics are a file that it writes, named by a path of letters that no
    /// option of an encoder reads as its own, so without a colon.
    case first(statistics: String)
    case second(statistics: String)

    var statistics: String {
        switch self {
        case .first(let path), .second(let path): path
        }
    }

    /// The name of its group in an encoder table.
    var group: String {
        switch self {
        case .first: "first-pass"
        case .second: "second-pass"
        }
    }
}
