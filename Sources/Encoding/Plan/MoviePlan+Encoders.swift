package import GStreamer
import MediaTypes
import Workarounds

extension MoviePlan {
    /// The same movie as one pipeline from its sources to a file, to be printed and tried with gst-launch-1.0.
    ///
    /// Where Rushes hands samples over in Swift, a queue stands, or the appsrc that gets the audio where there are no elements
    /// before it; the file is the muxer's own, without the index that Rushes
    /// appends at the end. Elements of Rushes' own, which gst-launch-1.0 does not have, are named as they are.
    package func standalone(
        video: [PipelineDescription.Node]?, audio: [[PipelineDescription.Node]?], path: String
    ) -> PipelineDescription {
        var chains = description.chains.map { chain in
            chain.flatMap { node -> [PipelineDescription.Node] in
                switch node {
                case .element("appsrc", name: "video", properties: _): (video ?? []) + [.make("queue")]
                case .element("appsrc", name: let name?, properties: _):
                    audio.indices.first { Self.audioName($0) == name }.flatMap { audio[$0] }
                        .map { $0 + [.make("queue")] } ?? [node]
                case .element("appsink", name: _, properties: _), .element("fdsink", name: _, properties: _):
                    [.make("filesink", ["location": .text(path), "buffer-mode": "unbuffered"])]
                default: [node]
                }
            }
        }
        // Sources first reads better; the muxer is named, so the order does not matter to the parser.
        chains.append(chains.removeFirst())
        return PipelineDescription(chains)
    }
}

extension PipelineDescription {
    /// The pipeline as gst-launch text, and behind it a comment for each element that only Rushes has, with what comes close.
    package var printedText: String {
        let comments = chains.flatMap { chain in
            chain.compactMap { node -> String? in
                guard case .element(let factory, name: _, properties: _) = node else { return nil }
                let others: PipelineDescription.Node
                switch factory {
                case ProResElement.name: others = ProResElement.standIn(in: chain)
                case DepthElement.name: others = .make("videoconvert", ["dither": "none"])
                case DitherElement.name: others = .make("videoconvert")
                default: return nil
                }
                return
                    "# \(factory) is Rushes' own; in gst-launch-1.0 write: \(PipelineDescription([[others]]).launchText)"
            }
        }
        return ([launchText] + comments).joined(separator: "\n")
    }
}

/// What is done to each encoder of a plan's frames, whichever of them it is.
extension MoviePlan {
    /// Makes an encoder's pipeline ready; before it starts.
    ///
    /// - Parameter note: takes the time codes that frames bring along, and when a key frame is presented.
    func prepare(_ pipeline: Pipeline, timeCodes note: @escaping @Sendable (FrameTimeCode, MediaTime?) -> Void) {
        let encoder = pipeline.bin.element(named: "video-encoder")
        if let colour = streamColor {
            // Before the parser, which tells the muxer what the stream says.
            _ = encoder?.pad("src")?.addBufferEditor { colour.stamp(&$0) }
        }
        if lendsFrames {
            let lender = FrameLender()
            _ = encoder?.pad("sink")?.addBufferEditor { lender.lend(&$0) }
        }
        encoder?.drainVPXWholly()
        encoder?.dropSpoiledHeaders()
        encoder?.correctDecodeTimes()
        // QuickTime's muxer (1.22) would write a track of its own in the middle of the first fragment, which no reader takes.
        pipeline.bin.element(named: "video-encoded")?.pad("sink")?.takeTimeCodes(note)
    }

    /// The same of one of the audio.
    ///
    /// - Parameter priming: how much of its delay an edit list takes away.
    func prepareAudio(_ pipeline: Pipeline, _ index: Int, priming: MediaTime) {
        pipeline.bin.element(named: AudioEncoder.name(index))?.endWithInput(later: priming)
    }

    /// Whether one encoder of the frames may follow another.
    var mayChangeEncoder: Bool { video?.faster.isEmpty == false }
}
