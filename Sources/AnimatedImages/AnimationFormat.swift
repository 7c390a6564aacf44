package import MediaFilters

/// What the frames of an animation are, before libswscale brings them to red, green and blue: it rounds, where GStreamer's conversion (1.22)
/// cuts off and is two to four of 255 too dark.
package struct AnimationFormat: Sendable {
    package let frames: FrameFormat
    private let isRGB: Bool
    private let matrix: Int
    private let isFullRange: Bool

    /// - Parameters:
    ///   - name: GStreamer's name of the raw format.
    ///   - matrix: by which luma and chroma are made, as H.273 numbers it.
    /// - Returns: nil for a format that is not taken.
    package init?(_ name: String, width: Int, height: Int, matrix: Int, isFullRange: Bool) {
        guard let frames = FrameFormat(name, width: width, height: height) else { return nil }
        (self.frames, isRGB, self.matrix, self.isFullRange) = (frames, name == "BGRA", matrix, isFullRange)
    }

    /// What comes in at a label of a graph.
    func input(_ label: String) -> FilterGraph.Input {
        FilterGraph.Input(label, frames.source(timeBase: "1/100", pixelAspect: "1/1"))
    }

    /// The filter that brings them to red, green and blue, before another one; empty where they are that.
    var conversion: String {
        guard !isRGB else { return "" }
        let names = [1: "bt709", 4: "fcc", 5: "bt601", 6: "bt601", 7: "smpte240m", 9: "bt2020", 10: "bt2020"]
        return "scale=flags=neighbor+accurate_rnd+full_chroma_int:in_range=\(isFullRange ? "full" : "limited")"
            + ":in_color_matrix=\(names[matrix] ?? "bt601"),"
    }
}
