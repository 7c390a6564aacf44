import GStreamer

/// What the decoders gave, and what became of it.
extension MediaReader {
    /// What is put behind the frames' decoder to say what their colours are.
    var colorNodes: [PipelineDescription.Node] { found.colorNodes }
    /// What lets the deinterlacer take the frames.
    var fieldNodes: [PipelineDescription.Node] { found.fieldNodes }
    /// The hardware decoders that were tried, by their elements' names.
    var hardwareDecoders: [String] { found.hardwareDecoders.sorted() }

    /// How the frames that are deinterlaced were laid out, as their decoder says once one has come: "interleaved", "mixed"; nil where none is.
    var deinterlacedMode: String? {
        let element = pipeline.bin.element(named: Deinterlacer.name)
        func mode(_ pad: String) -> String? {
            element?.pad(pad)?.currentCaps?.first?["interlace-mode"]?.stringValue
        }
        return mode("src") == "progressive" && mode("sink") != "progressive" ? mode("sink") : nil
    }
    /// Whether frames of more than 8 bits have 8 behind the deinterlacer.
    var losesDepth: Bool { found.losesDepth }
    /// Whether the decoder says how opaque the frames are, and a look-up table is applied to a form of them that does not.
    var losesAlpha: Bool { found.losesAlpha }
    /// Audio whose channels nobody has named, and that is mixed; nil where there is none.
    var unnamedMix: StreamBranches.UnnamedMix? { found.unnamedMix }
}
