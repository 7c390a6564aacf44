import GStreamer
import MovieFiles

/// What GStreamer's deinterlacer (1.22) needs to be told, and what has to become of frames before it takes them.
struct Deinterlacer: Sendable {
    /// What of the frames is deinterlaced, as its `mode` has it.
    enum Mode: String, Sendable {
        /// What is interlaced.
        case auto
        /// All that comes.
        case interlaced
    }

    static let name = "video-deinterlace"

    let mode: Mode
    /// Whether the frames that are kept lie far apart, so that none tells anything of the next.
    var isSparse = false

    var node: PipelineDescription.Node {
        .make(
            "deinterlace", name: Self.name,
            // One frame for each frame; all fields would double the rate. yadif (1.22) gives the first two frames one time, and greedyh mixes up
            // the lines of frames: of the others, greedyl comes nearest to what was shot.
            ["mode": .text(mode.rawValue), "fields": "top", "method": isSparse ? "linear" : "greedyl"])
    }

    /// What stands before it: a converter to 8 bits where it knows no other form of the frames. It would let them pass as they are, or break off.
    ///
    /// - Parameter decoded: what the decoder gives; nil where that is not known yet.
    func preparation(_ decoded: Caps?, _ told: FieldOrder?) -> Preparation {
        guard let decoded, let format = decoded.first else { return Preparation() }
        var (preparation, isInterlaced) = (
            Preparation(), format["interlace-mode"]?.stringValue ?? "progressive" != "progressive"
        )
        // qtdemux (1.22) tells nothing of the fields of raw frames, which no decoder could tell either.
        if let told, !isInterlaced, decoded.first?.name == "video/x-raw" {
            let fields: [String: FieldValue] = ["interlace-mode": "interleaved", "field-order": .string(told.name)]
            preparation.nodes.append(.make("capssetter", ["caps": .caps(Caps("video/x-raw", fields))]))
            isInterlaced = true
        }
        let taken = ElementFactory("deinterlace")?.templateCaps(source: false).first?.first?["format"]
        guard let taken, isInterlaced || mode == .interlaced, let name = format["format"],
            !taken.alternatives.contains(name), decoded.features.joined().allSatisfy({ $0 == "memory:SystemMemory" })
        else { return preparation }
        preparation.nodes += [.make("videoconvert"), .caps(Caps("video/x-raw", ["format": taken]))]
        preparation.losesDepth = VideoFrameLayout.bitDepth(name.stringValue ?? "") > 8
        return preparation
    }

    struct Preparation: Sendable {
        var nodes: [PipelineDescription.Node] = []
        /// Whether the frames have more than 8 bits a sample before it, and 8 behind it.
        var losesDepth = false
    }

    /// Lets it make each frame of its first field: of the other one, it makes one frame more. Which is the first, the caps tell, or else the
    /// frames' own flags, or else the file; where nothing does it is the upper one, as of most.
    static func order(_ told: FieldOrder?, _ output: Pad, _ deinterlacer: Element) {
        _ = output.addBufferProbe { buffer in
            let format = output.currentCaps?.first
            // Of these each frame tells, progressive ones nothing.
            let isMixed = format?["interlace-mode"]?.stringValue == "mixed"
            if isMixed, !buffer.isInterlaced { return .pass }
            let named = format?["field-order"]?.stringValue.flatMap(FieldOrder.init(named:))
            let flagged: FieldOrder? =
                buffer.isTopFieldFirst ? .topFirst : buffer.isInterlaced ? .bottomFirst : nil
            let order = named ?? flagged ?? told ?? .topFirst
            try? deinterlacer.set("fields", to: order == .topFirst ? "top" : "bottom")
            if named == nil, flagged == nil { try? deinterlacer.set("tff", to: order == .topFirst ? "tff" : "bff") }
            return .remove
        }
    }
}

extension FieldOrder {
    /// GStreamer's name of it in caps.
    fileprivate var name: String { self == .topFirst ? "top-field-first" : "bottom-field-first" }

    fileprivate init?(named name: String) {
        switch name {
        case Self.topFirst.name: self = .topFirst
        case Self.bottomFirst.name: self = .bottomFirst
        default: return nil
        }
    }
}
