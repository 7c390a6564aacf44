/// How many colour samples a frame has beside its brightness samples.
public enum ChromaSubsampling: String, Codable, Sendable, Hashable, CaseIterable {
    /// A quarter, as cameras, discs and streams have them: what every player reads.
    case quarter = "4:2:0"
    /// Half, as in cameras for editing.
    case half = "4:2:2"
    /// All, as in frames of screens.
    case full = "4:4:4"

    /// - Parameter format: GStreamer's name of a raw format, such as "I422_10LE"; grey counts as a quarter.
    package init(rawFormat format: String) {
        func begins(_ names: [String]) -> Bool { names.contains { format.hasPrefix($0) } }
        if begins([
            "Y42B", "I422", "A422", "YUY2", "UYVY", "YVYU", "VYUY", "UYVP", "NV16", "NV61", "v210", "v216", "Y21",
        ]) {
            self = .half
        } else if begins([
            "Y444", "A444", "Y41", "AYUV", "VUYA", "v308", "IYU2", "NV24", "RGB", "BGR", "GBR", "ARGB", "ABGR", "xRGB",
            "xBGR",
            "r210",
        ]), format != "Y41B" {
            self = .full
        } else {
            self = .quarter
        }
    }
}
