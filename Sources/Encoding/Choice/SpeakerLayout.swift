package import GStreamer
import Workarounds

/// Which speakers the channels of raw audio are for, as GStreamer's masks say it, and what an encoder takes of that.
///
/// FLAC and Opus have one layout for each number of channels. A converter (1.22) that is to meet another one mixes all channels down to one, without
/// a word; so they are named before, as the encoder names them.
package enum SpeakerLayout {
    /// What it takes to hand channels to an encoder.
    package enum Fit: Equatable {
        /// They are named as the encoder names them.
        case asIs
        /// The same speakers have other names there.
        case renamed(UInt64)
        /// Nobody has named them.
        case unnamed(UInt64)
    }

    /// The usual order of channels (ISO/IEC 23001-8, and WAVE's).
    private static let usual: [Int: UInt64] = [
        2: 0x3, 3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3f, 7: 0x13f, 8: 0xc3f,
    ]
    /// Of mapping family 1 (RFC 7845, section 5.1.1.2), which opusenc's caps do not tell.
    private static let opus = usual.merging([7: 0xd0f]) { $1 }
    /// What AAC has a number for (ISO/IEC 14496-3, table 1.19); all else it describes in the stream.
    private static let aac: Set<UInt64> = [0x7, 0x107, 0x37, 0x3f]

    private static let center: UInt64 = 0x4
    private static let rear: UInt64 = 0x30
    private static let side: UInt64 = 0xc00

    /// The names that an encoder has for so many channels; nil where it takes any.
    static func taken(by encoder: AudioEncoder, channels: Int) -> UInt64? {
        if encoder.codec == .opus { return channels > 1 ? opus[channels] : nil }
        return ElementFactory(encoder.element)?.templateCaps(source: false).lazy.flatMap(\.structures)
            .filter { $0["channels"]?.intValue == channels }.compactMap { mask($0) }.first
    }

    /// - Returns: nil where the encoder has no names for these channels.
    package static func fit(_ caps: Caps, channels: Int, in encoder: AudioEncoder) -> Fit? {
        let taken = taken(by: encoder, channels: channels)
        guard let mask = mask(caps.first) else {
            guard encoder.codec != .pcm, channels > 2, let mask = taken ?? usual[channels] else { return .asIs }
            return .unnamed(mask)
        }
        // One channel is for the middle, whatever it was called: some encoders take no other name.
        if channels == 1 { return mask == center ? .asIs : .renamed(center) }
        let other = exchanged(mask)
        if let taken {
            if mask == taken { return .asIs }
            // Two channels are left and right, whatever they were called.
            return other == taken || channels == 2 ? .renamed(taken) : nil
        }
        if encoder.codec == .aac, !aac.contains(mask), aac.contains(other) { return .renamed(other) }
        return .asIs
    }

    /// The names of fewer channels that others can be mixed down to, so that none is made up.
    ///
    /// - Returns: nil where the encoder names a speaker that is not among them.
    package static func mixed(_ caps: Caps, to channels: Int, in encoder: AudioEncoder) -> UInt64? {
        guard channels > 1, let names = taken(by: encoder, channels: channels) ?? usual[channels] else { return nil }
        guard channels > 2 else { return names }
        // Of channels without names as many are the usual ones.
        guard let mask = mask(caps.first) else { return channels == 6 ? names : nil }
        return names & ~mask == 0 || names & ~exchanged(mask) == 0 ? names : nil
    }

    /// nil where nobody has named them.
    private static func mask(_ format: Structure?) -> UInt64? {
        guard case .bitmask(let mask)? = format?["channel-mask"], mask != 0 else { return nil }
        return mask
    }

    /// Speakers at the side and at the rear are one thing where there is only one pair of them.
    private static func exchanged(_ mask: UInt64) -> UInt64 {
        switch (mask & rear, mask & side) {
        case (0, side): mask & ~side | rear
        case (rear, 0): mask & ~rear | side
        default: mask
        }
    }

    /// What stands before an encoder of as many channels as there are, and what is said of it; nothing where it takes them as they are.
    package static func nodes(
        _ caps: Caps, channels: Int, for encoder: AudioEncoder
    ) -> (nodes: [PipelineDescription.Node], isAssumed: Bool) {
        let told = mask(caps.first)
        var nodes: [PipelineDescription.Node] = []
        var names = told
        var isAssumed = false
        switch fit(caps, channels: channels, in: encoder) {
        case .unnamed(let mask)?: (nodes, names, isAssumed) = ([named(mask)], mask, true)
        case .renamed(let mask)?: (nodes, names) = ([named(mask)], mask)
        case .asIs?, nil: break
        }
        return (nodes + ordered(told, names, channels, encoder), isAssumed)
    }

    /// What mixes channels down to fewer, and hands them to the encoder of so many.
    package static func mixing(
        _ caps: Caps, channels: Int, to count: Int, for encoder: AudioEncoder
    ) -> [PipelineDescription.Node] {
        let names = mixed(caps, to: count, in: encoder)
        var fields: [String: FieldValue] = ["channels": .int(Int64(count))]
        fields["channel-mask"] = names.map { .bitmask($0) }
        // A converter (1.22) refuses channels that nobody has named.
        let assumed = mask(caps.first) == nil && channels > 2 ? usual[channels] : nil
        return (assumed.map { [named($0)] } ?? []) + [.make("audioconvert"), .caps(Caps("audio/x-raw", fields))]
            + ordered(names, names, count, encoder)
    }

    /// What stands before a converter that is to mix channels that nobody has named, as it (1.22) refuses those: they get their usual names. Of
    /// more than eight, which have none, each is mixed to one of the others in turn: of two, the first goes to the left, the second to the right.
    ///
    /// - Parameter count: how many channels there are to be.
    package static func mixable(_ caps: Caps?, to count: Int) -> [PipelineDescription.Node] {
        guard let format = caps?.first, mask(format) == nil, let channels = format["channels"]?.intValue,
            channels > max(2, count)
        else { return [] }
        if let names = usual[channels] { return [named(names)] }
        let rows = (0..<count).map { row in
            let share = 1 / Double((channels - row + count - 1) / count)
            return
                "<\((0..<channels).map { $0 % count == row ? "(float)\(share)" : "(float)0.0" }.joined(separator: ","))>"
        }
        var fields: [String: FieldValue] = ["channels": .int(Int64(count))]
        if count > 1 { fields["channel-mask"] = usual[count].map { .bitmask($0) } }
        return [
            .make("audioconvert", ["mix-matrix": .text("<\(rows.joined(separator: ","))>")]),
            .caps(Caps("audio/x-raw", fields)),
        ]
    }

    private static func ordered(
        _ told: UInt64?, _ names: UInt64?, _ channels: Int, _ encoder: AudioEncoder
    ) -> [PipelineDescription.Node] {
        guard let places = EncoderChannelOrder.places(of: told, channels: channels, in: encoder.element), let names
        else {
            return []
        }
        let fields: [String: FieldValue] = ["channels": .int(Int64(channels)), "channel-mask": .bitmask(names)]
        return ChannelOrder.nodes(places, Caps("audio/x-raw", fields))
    }

    /// What says which speakers a number of channels is for.
    private static func named(_ mask: UInt64) -> PipelineDescription.Node {
        .make("capssetter", ["caps": .caps(Caps("audio/x-raw", ["channel-mask": .bitmask(mask)]))])
    }
}
