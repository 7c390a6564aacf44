/// One of the constant qualities that an encoder knows.
package struct QualityLevel: Sendable, Hashable {
    /// From 0 to 100, as ``RateControl/quality(_:)`` has it.
    package var quality: Int
    /// The same in the element's own unit, such as x264's CRF.
    package var native: Int
}

extension EncoderEntry {
    /// Every quality that is another one for the element, worst first; empty where it knows no constant quality.
    var qualityLevels: [QualityLevel] {
        guard hasQuality else { return [] }
        var levels: [QualityLevel] = []
        for quality in 0...100 where nativeQuality(quality) != levels.last?.native {
            levels.append(QualityLevel(quality: quality, native: nativeQuality(quality)))
        }
        return levels
    }

    /// What people call the element's own unit.
    var qualityName: String { facts["quality-name"] ?? "quantiser" }
}
