/// The frames of one track, in the order in which they lie in the file.
struct FrameTable: Sendable {
    private(set) var offsets: [UInt64] = []
    private(set) var sizes: [UInt32] = []
    /// In the segment's ticks; `unknown` of a frame that shares its block with one before.
    private(set) var times: [Int64] = []
    /// Whether decoding can begin with it.
    private(set) var isKey: [Bool] = []
    /// How many samples of audio each frame holds, where the frames tell.
    private(set) var audioLengths = RunLengthArray<UInt32>()
    /// How long each lasts, in the segment's ticks, as far as blocks tell; 0 where they do not.
    private var durations: [UInt64] = []
    /// What of frames is not presented, by their places, in nanoseconds: of their ends, or where it is negative from their beginnings on.
    private(set) var discards: [Int: Int64] = [:]
    /// Whether something else than `transparency` lies beside a frame (`BlockAdditions`).
    private(set) var hasAdditions = false
    /// Where it says how opaque frames are, by where these lie: of a track that has it beside them (`AlphaMode`).
    private(set) var transparency: [UInt64: Place] = [:]
    /// Whether what is first beside frames is that.
    let isTransparent: Bool

    /// Bytes in the file.
    struct Place: Sendable, Equatable {
        var offset: UInt64
        var size: UInt32
    }

    init(isTransparent: Bool = false) { self.isTransparent = isTransparent }

    /// More than any file has that is joined of others.
    private static let maximumDiscardCount = 2000

    static let unknown = Int64.min

    var count: Int { sizes.count }

    /// How long the block says that a frame lasts, in the segment's ticks.
    func duration(of index: Int) -> UInt64? {
        durations.indices.contains(index) && durations[index] > 0 ? durations[index] : nil
    }

    /// What a block says of all its frames.
    struct Block {
        /// In the segment's ticks.
        var time: Int64
        var isKey: Bool
        var duration: UInt64?
        var discardPadding: Int64 = 0
        /// What lies beside its frames under the number 1, and whether something does under others, such as HDR10+ metadata.
        var addition: Place?
        var hasOtherAdditions = false
    }

    mutating func append(offset: UInt64, size: UInt32, of block: Block, isFirst: Bool, audioLength: UInt32?) {
        offsets.append(offset)
        sizes.append(size)
        times.append(isFirst ? block.time : Self.unknown)
        isKey.append(block.isKey)
        // Of several frames in a block nobody knows whose it is.
        if isFirst, let addition = block.addition, isTransparent { transparency[offset] = addition }
        if block.hasOtherAdditions || block.addition != nil && !isTransparent { hasAdditions = true }
        if let audioLength { audioLengths.append(audioLength) }
        if isFirst, let duration = block.duration {
            durations.append(contentsOf: repeatElement(0, count: count - 1 - durations.count))
            durations.append(duration)
        }
        // Of a block's last frame, or its first one.
        if block.discardPadding < 0, isFirst, discards.count < Self.maximumDiscardCount {
            discards[count - 1] = block.discardPadding
        }
        guard block.discardPadding > 0, discards.count < Self.maximumDiscardCount else { return }
        if !isFirst { discards[count - 2] = nil }
        discards[count - 1] = block.discardPadding
    }
}
