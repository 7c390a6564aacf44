/// Makes the packets of an encoder that took the place of another in the middle of a track ones that the same sample
/// description describes: it holds the parameter sets of both, under numbers of their own.
package struct ContinuedStream: Sendable {
    /// `avcC` or `hvcC` with the sets of this encoder and of those before.
    package let codecData: [UInt8]
    private let own: ParameterSetRecord
    /// nil where these sets were there before.
    private let renumbering: ParameterSetRenumbering?
    /// With their new numbers.
    private let sets: [[UInt8]]
    private let lengthSize: Int

    /// - Parameters:
    ///   - codecData: `avcC` or `hvcC` of the new encoder.
    ///   - others: the same of those before.
    ///   - isHEVC: or else H.264.
    /// - Returns: nil where one description cannot hold both, as of frames of two sizes or depths.
    package init?(_ codecData: [UInt8], after others: [UInt8], isHEVC: Bool) {
        let codec: ParameterSetCodec = isHEVC ? .hevc : .avc
        guard let own = Self.record(codec, codecData), let theirs = Self.record(codec, others) else { return nil }
        (self.own, lengthSize) = (own, theirs.lengthSize)
        if own.lengthSize == theirs.lengthSize, own.units.allSatisfy(theirs.units.contains) {
            (renumbering, sets, self.codecData) = (nil, own.units, others)
            return
        }
        guard let renumbering = ParameterSetRenumbering(own, beside: theirs),
            let changed = own.mapUnits({ renumbering.renumbered($0) }), let both = theirs.adding(changed),
            let box = try? both.box()
        else { return nil }
        (self.renumbering, sets, self.codecData) = (renumbering, changed.units, Array(box.payload))
    }

    private static func record(_ codec: ParameterSetCodec, _ codecData: [UInt8]) -> ParameterSetRecord? {
        let box = Box(type: codec.record, fileOffset: 0, payload: codecData[...])
        return (try? ParameterSetRecord(codec, box)) ?? nil
    }

    /// A packet with the numbers of this description; nil where it cannot be read.
    ///
    /// - Parameter holdsSets: whether the sets stand before its frame as well, for files whose description was written
    ///   before this encoder was there.
    package func packet(_ bytes: UnsafeRawBufferPointer, holdsSets: Bool) -> [UInt8]? {
        guard let renumbering else { return Array(bytes) }
        return renumbering.renumbered(
            sample: Array(bytes)[...], lengthSize: own.lengthSize, to: lengthSize, behind: holdsSets ? sets : [])
    }
}
