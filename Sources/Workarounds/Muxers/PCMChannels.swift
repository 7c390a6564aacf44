package import GStreamer

/// GStreamer 1.22, qtmux: goes with the version that takes PCM whose channels have names; `WorkaroundTests` “qtmux, PCM of more than two channels that have names”.
///
/// PCM of more than two channels in QuickTime.
///
/// qtmux (1.22) takes it without names only; ``MovieFiles`` then names the channels by how many there are, in the `chan`
/// box. That fits where they come in the usual order, front to rear.
package enum PCMChannels {
    /// GStreamer's masks of the orders that `chan` is given for; rear and side speakers are one thing where there is only
    /// one pair of them.
    private static let orders: [Int: Set<UInt64>] = [
        3: [0x7], 4: [0x33, 0xc03], 5: [0x37, 0xc07], 6: [0x3f, 0xc0f], 8: [0xc3f],
    ]

    /// Whether QuickTime says of all these channels which they are.
    ///
    /// - Parameter caps: the audio's, `audio/x-raw`; channels without names are taken for the usual ones.
    package static func areNamed(_ caps: Caps, channels: Int) -> Bool {
        guard channels > 2 else { return true }
        guard let orders = orders[channels] else { return false }
        guard case .bitmask(let mask)? = caps.first?["channel-mask"], mask != 0 else { return true }
        return orders.contains(mask)
    }

    /// Takes the names away, before a converter could mix channels down without a word.
    package static func unnamed() throws(GStreamerError) -> PipelineDescription.Node {
        .make("capssetter", ["caps": .caps(try Caps("audio/x-raw,channel-mask=(bitmask)0x0"))])
    }
}
