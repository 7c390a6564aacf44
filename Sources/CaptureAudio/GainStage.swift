import Foundation

/// Amplifies or silences audio without a click: a new gain is reached over one buffer.
package struct GainStage: Sendable {
    /// The factor wanted, and the one that the last sample had.
    private var (wanted, present): (Float, Float) = (1, 1)
    private var hasBegun = false

    package init() {}

    /// - Parameter decibels: 0 leaves the audio as it is; kept between -100 and 60.
    package mutating func set(decibels: Double, isMuted: Bool) {
        wanted = isMuted ? 0 : Float(pow(10, min(max(decibels, -100), 60) / 20))
        if !hasBegun { present = wanted }
    }

    /// What becomes too loud is cut off at full scale.
    package mutating func apply(to samples: inout [Float], channels: Int) {
        hasBegun = true
        guard wanted != 1 || present != 1 else { return }
        let frames = samples.count / channels
        let step = (wanted - present) / Float(max(1, frames))
        for frame in 0..<frames {
            let factor = present + step * Float(frame + 1)
            for index in frame * channels..<(frame + 1) * channels {
                samples[index] = min(max(samples[index] * factor, -1), 1)
            }
        }
        present = wanted
    }
}
