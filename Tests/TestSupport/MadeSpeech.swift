import Foundation

/// Speech that is made up, and what a microphone records of it. Here, where millions of samples are optimized.
package enum MadeSpeech {
    /// Syllables of random length, loudness and distance.
    package static func samples(seconds: Int, rate: Int, seed: UInt64) -> [Float] {
        var random = SeededGenerator(state: seed)
        var samples: [Float] = []
        while samples.count < seconds * rate {
            let loudness = Float.random(in: 0.05...0.5, using: &random)
            let length = Int.random(in: 600...2400, using: &random)
            for index in 0..<length {
                let shape = sin(Float.pi * Float(index) / Float(length))
                samples.append(loudness * shape * Float.random(in: -1...1, using: &random))
            }
            samples += [Float](repeating: 0, count: Int.random(in: 200...4000, using: &random))
        }
        return samples
    }

    /// What a microphone records of `speech`, beginning with the sample `start`, with noise of its own.
    ///
    /// - Parameter speed: of the clock that it is recorded by.
    package static func heard(
        _ speech: [Float], from start: Double, count: Int, gain: Float, noise: Float, seed: UInt64, speed: Double = 1
    ) -> [Float] {
        var random = SeededGenerator(state: seed)
        return (0..<count).map { index in
            let place = Int((start + Double(index) * speed).rounded())
            let sample = speech.indices.contains(place) ? speech[place] : 0
            return gain * sample + noise * Float.random(in: -1...1, using: &random)
        }
    }
}
