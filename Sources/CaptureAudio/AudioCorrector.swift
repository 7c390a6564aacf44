package import MediaTypes

/// Carries out what ``AudioTimeline`` decides: resamples, leaves gaps, leaves samples out.
package struct AudioCorrector: Sendable {
    private var timeline: AudioTimeline
    private var resampler: VariableRatioResampler?
    private let channels: Int
    private let rate: Int
    private var held: [Float] = []
    /// Samples of the row so far, gaps included.
    private var written = 0

    package init(rate: Int, channels: Int, isOnSystemClock: Bool) {
        timeline = AudioTimeline(rate: rate, isOnSystemClock: isOnSystemClock)
        self.rate = rate
        self.channels = channels
        resampler = isOnSystemClock ? nil : VariableRatioResampler(channels: channels)
    }

    /// How much faster than promised the microphone runs, as a ratio.
    package var drift: Double { timeline.drift }

    /// Takes a buffer's samples and returns the chunk of the row that they complete; `nil` while their place is unknown.
    ///
    /// - Parameter stamp: the buffer's running time.
    package mutating func receive(_ samples: [Float], stamp: MediaTime) -> AudioChunk? {
        // What waits in the resampler belongs to the row already, though it cannot be handed out yet.
        let reached = Double(written) + (resampler?.waiting ?? 0)
        let action = timeline.receive(frames: samples.count / channels, stamp: stamp.seconds, written: reached)
        // Mostly nothing is held, and the samples are handed on as they are.
        if held.isEmpty { held = samples } else { held += samples }
        guard action != .hold, let start = timeline.start else { return nil }
        defer { held = [] }
        var position = written
        let output: [Float]
        switch action {
        case .hold: return nil
        case .write(let gap, let ratio):
            if gap > 0 {
                // What still waited, half a millisecond, goes with what was lost; what follows must not be smeared into it.
                position = Int(reached.rounded()) + gap
                if resampler != nil { resampler = VariableRatioResampler(channels: channels) }
            }
            output = change(held, by: ratio)
        case .skip(let frames, let ratio):
            output = change(Array(held.dropFirst(frames * channels)), by: ratio)
        }
        written = position + output.count / channels
        guard !output.isEmpty else { return nil }
        return AudioChunk(
            rowStart: MediaTime(seconds: start), position: position, samples: output, channels: channels, rate: rate)
    }

    private mutating func change(_ samples: [Float], by inputPerOutput: Double) -> [Float] {
        resampler?.process(samples, inputPerOutput: inputPerOutput) ?? samples
    }
}
