import Foundation
import GStreamer
import Threads

/// What lies among the frames of a stream and is more than frames, found by watching it: whether decoders and encoders (1.22) hand it on differs,
/// and caps have no word for it.
final class FrameMessages: Sendable {
    struct Kinds: OptionSet, Sendable {
        let rawValue: Int
        /// Closed captions as of television (CEA-608 and CEA-708, in the form of ATSC A/53 part 4).
        static let captions = Kinds(rawValue: 1)
        /// How bright each scene is (SMPTE ST 2094-40, HDR10+).
        static let dynamicLight = Kinds(rawValue: 2)
    }

    private let found = Locked((kinds: Kinds(), captions: 0))

    /// Of all that has passed so far.
    var kinds: Kinds { found.withLock { $0.kinds } }
    /// How many frames have captions, likewise.
    var captionCount: Int { found.withLock { $0.captions } }

    /// Whether the stream of such caps can have any.
    static func exist(in caps: Caps) -> Bool {
        ["video/x-h264", "video/x-h265", "video/x-av1", "video/mpeg"].contains(caps.first?.name)
    }

    /// - Parameter pad: where the encoded stream passes.
    func read(_ pad: Pad) {
        _ = pad.addBufferProbe { [weak self] frame in
            guard let self else { return .remove }
            look(at: frame)
            return .pass
        }
    }

    func look(at frame: Buffer) {
        let new = (try? frame.withBytes { Self.kinds(in: $0) }) ?? []
        guard !new.isEmpty else { return }
        found.withLock { found in
            found.kinds.formUnion(new)
            if new.contains(.captions) { found.captions += 1 }
        }
    }

    /// What is said of captions that are in more or fewer of the output's frames, as those have another rate; nil where they are in as many.
    ///
    /// - Parameter written: the output's, which has captions.
    func changedCaptions(_ written: FrameMessages) -> String? {
        let (count, left) = (captionCount, written.captionCount)
        guard count != left else { return nil }
        let what =
            left < count
            ? "\(count - left) of \(count) packets are left out with frames, so letters may be missing"
            : "\(count) packets are written \(left) times with frames that repeat, so letters may be shown twice"
        return
            "Closed captions (CEA-608/708) belong to frames of the input's rate: \(what); keep the rate to keep them."
    }

    /// Bytes of a frame that its messages lie in: they stand before what is shown, behind parameter sets.
    private static let head = 4096

    /// As ITU-T T.35 names them: the United States, who is responsible, and what of theirs it is. The same bytes stand in the messages of
    /// H.264 and HEVC and in the metadata of AV1, and none of them has to be kept from looking like a start code. MPEG-2 has the
    /// captions without the first three, behind the start code of user data.
    private static let signs: [(bytes: [UInt8], kind: Kinds)] = [
        ([0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03], .captions),
        ([0x00, 0x00, 0x01, 0xB2, 0x47, 0x41, 0x39, 0x34, 0x03], .captions),
        ([0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04], .dynamicLight),
    ]

    static func kinds(in frame: UnsafeRawBufferPointer) -> Kinds {
        let bytes = UnsafeRawBufferPointer(rebasing: frame.prefix(head))
        return signs.reduce(into: []) { if bytes.holds($1.bytes) { $0.insert($1.kind) } }
    }
}

extension FrameMessages.Kinds {
    private static let names: [(kind: Self, what: String, verb: String, pronoun: String)] = [
        (.captions, "Closed captions (CEA-608/708) among the frames", "are", "them"),
        (.dynamicLight, "HDR10+ metadata among the frames (how bright each scene is)", "is", "it"),
    ]

    /// What is said of those that are not in the output, a sentence each.
    var omissions: [String] {
        Self.names.filter { contains($0.kind) }.map {
            "\($0.what) \($0.verb) left out: the output's frames do not carry \($0.pronoun) here."
        }
    }

    /// What is said of those of a movie that is drawn into another one.
    func omissions(of name: String) -> [String] {
        Self.names.filter { contains($0.kind) }.map { "\(name): \($0.what) \($0.verb) left out." }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func holds(_ sign: [UInt8]) -> Bool {
        var rest = self
        while rest.count >= sign.count, let start = rest.baseAddress,
            let place = memchr(start, Int32(sign[0]), rest.count)
        {
            rest = UnsafeRawBufferPointer(rebasing: rest[start.distance(to: place)...])
            if rest.count >= sign.count, memcmp(place, sign, sign.count) == 0 { return true }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        }
        return false
    }
}
