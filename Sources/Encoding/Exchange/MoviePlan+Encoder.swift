import GStreamer
import MediaTypes

/// What is done to each encoder of a plan's frames, whichever of them it is.
extension MoviePlan {
    /// Makes an encoder's pipeline ready; before it starts.
    ///
    /// - Parameter note: takes the time codes that frames bring along.
    func prepare(_ pipeline: Pipeline, timeCodes note: @escaping @Sendable (FrameTimeCode) -> Void) {
        let encoder = pipeline.bin.element(named: "video-encoder")
        if let colour = streamColour {
            // Before the parser, which tells the muxer what the stream says.
            _ = encoder?.pad("src")?.addBufferEditor { colour.stamp(&$0) }
        }
        if lendsFrames {
            let loan = SharedFrameBuffer()
            _ = encoder?.pad("sink")?.addBufferEditor { loan.replace(&$0) }
        }
        encoder?.drainVPXWholly()
        // QuickTime's muxer (1.22) would write a track of its own in the middle of the first fragment, which no reader takes.
        pipeline.bin.element(named: "video-encoded")?.pad("sink")?.takeTimeCodes(note)
    }

    /// Whether one encoder of the frames may follow another.
    var mayChangeEncoder: Bool { video?.faster.isEmpty == false }
}
