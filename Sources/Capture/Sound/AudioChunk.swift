import GStreamer
import MediaTypes

/// Samples that have come: interleaved 32-bit floats, with the running time of the first.
struct AudioArrival: Sendable {
    var samples: [Float]
    var time: MediaTime
    /// Whether another device than before has made them, whose clock is another.
    var isOtherDevice = false

    /// Its samples, and silence for those that are no number: NaN and infinity, as of a faulty filter, would corrupt whole packets of
    /// an encoder. They are only copied where there is one.
    var finiteSamples: [Float] {
        samples.allSatisfy(\.isFinite) ? samples : samples.map { $0.isFinite ? $0 : 0 }
    }
}

/// A run of a microphone's corrected samples: interleaved 32-bit floats, full scale at 1.
struct AudioChunk: Sendable {
    /// The running time of the row's sample 0.
    let rowStart: MediaTime
    /// The place of this chunk's first sample in the row, in samples of each channel.
    let position: Int
    let samples: [Float]
    let channels: Int
    let rate: Int

    /// Samples of each channel.
    var frames: Int { samples.count / channels }
    var end: Int { position + frames }
    /// The running time at which its last sample ends.
    var endTime: MediaTime { rowStart + MediaTime(seconds: Double(end) / Double(rate)) }

    /// The place in the row that belongs to a running time, rounded to the sample.
    func position(at time: MediaTime) -> Int {
        Int(((time - rowStart).seconds * Double(rate)).rounded())
    }

    /// The part of the chunk inside a range of places, or `nil` if there is none.
    func clipped(to range: Range<Int>) -> AudioChunk? {
        let common = (position..<end).clamped(to: range)
        guard !common.isEmpty else { return nil }
        if common == position..<end { return self }
        let part = samples[(common.lowerBound - position) * channels..<(common.upperBound - position) * channels]
        return AudioChunk(
            rowStart: rowStart, position: common.lowerBound, samples: Array(part), channels: channels, rate: rate)
    }
}
