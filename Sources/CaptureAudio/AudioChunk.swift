package import MediaTypes

/// Samples that have come: interleaved 32-bit floats, with the running time of the first.
package struct AudioArrival: Sendable {
    package var samples: [Float]
    package var time: MediaTime
    /// Whether another device than before has made them, whose clock is another.
    package var isOtherDevice: Bool

    package init(samples: [Float], time: MediaTime, isOtherDevice: Bool = false) {
        (self.samples, self.time, self.isOtherDevice) = (samples, time, isOtherDevice)
    }

    /// Its samples, and silence for those that are no number: NaN and infinity, as of a faulty filter, would corrupt whole packets of
    /// an encoder. They are only copied where there is one.
    package var finiteSamples: [Float] {
        samples.allSatisfy(\.isFinite) ? samples : samples.map { $0.isFinite ? $0 : 0 }
    }
}

/// A run of a microphone's corrected samples: interleaved 32-bit floats, full scale at 1.
package struct AudioChunk: Sendable {
    /// The running time of the row's sample 0.
    package let rowStart: MediaTime
    /// The place of this chunk's first sample in the row, in samples of each channel.
    package let position: Int
    package let samples: [Float]
    package let channels: Int
    package let rate: Int

    package init(rowStart: MediaTime, position: Int, samples: [Float], channels: Int, rate: Int) {
        (self.rowStart, self.position, self.samples) = (rowStart, position, samples)
        (self.channels, self.rate) = (channels, rate)
    }

    /// Samples of each channel.
    package var frames: Int { samples.count / channels }
    package var end: Int { position + frames }
    /// The running time at which its last sample ends.
    package var endTime: MediaTime { rowStart + MediaTime(seconds: Double(end) / Double(rate)) }

    /// The place in the row that belongs to a running time, rounded to the sample.
    package func position(at time: MediaTime) -> Int {
        Int(((time - rowStart).seconds * Double(rate)).rounded())
    }

    /// The part of the chunk inside a range of places, or `nil` if there is none.
    package func clipped(to range: Range<Int>) -> AudioChunk? {
        let common = (position..<end).clamped(to: range)
        guard !common.isEmpty else { return nil }
        if common == position..<end { return self }
        let part = samples[(common.lowerBound - position) * channels..<(common.upperBound - position) * channels]
        return AudioChunk(
            rowStart: rowStart, position: common.lowerBound, samples: Array(part), channels: channels, rate: rate)
    }
}
