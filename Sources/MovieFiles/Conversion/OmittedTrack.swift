/// A track of the original that is not in the copy.
package struct OmittedTrack: Sendable, Hashable {
    /// As in `tkhd`.
    package var trackID: UInt32
    /// The kind of media: `vide`, `soun`, `tmcd`, …
    package var handler: FourCC
    /// How its samples are coded; nil where it does not say.
    package var format: FourCC?
    /// A full sentence.
    package var reason: String
}
