import Foundation

/// Where a piece of audio lies in another, and how alike they are: normalised cross-correlation over every position.
///
///     let spoken = try await FFmpeg.sound(of: "speech.wav")
///     let heard = try await FFmpeg.sound(of: "take.mov", start: 2, duration: 3)
///     let match = SoundMatch(of: heard, in: spoken + spoken)     // twice, as the microphone repeats it
///     #expect(match.correlation > 0.95)
public struct AudioMatch: Sendable {
    /// 1 where they are the same but for loudness, about 0 where they have nothing in common.
    public let correlation: Double
    /// The position of the piece's first sample in the other audio.
    public let offset: Int

    /// - Parameters:
    ///   - piece: What is looked for; not longer than `audio`.
    ///   - audio: Where it is looked for.
    public init(of piece: [Float], in audio: [Float]) {
        guard !piece.isEmpty, piece.count <= audio.count else {
            correlation = 0
            offset = 0
            return
        }
        let products = Self.crossCorrelation(piece, audio)
        let pieceEnergy = piece.reduce(0) { $0 + Double($1) * Double($1) }
        var energy = audio[..<piece.count].reduce(0) { $0 + Double($1) * Double($1) }
        var best = (value: -1.0, offset: 0)
        for position in 0...(audio.count - piece.count) {
            if position > 0 {
                let leaving = Double(audio[position - 1])
                let coming = Double(audio[position + piece.count - 1])
                energy += coming * coming - leaving * leaving
            }
            let scale = (pieceEnergy * max(energy, 0)).squareRoot()
            let value = scale > 1e-9 ? products[position] / scale : 0
            if value > best.value { best = (value, position) }
        }
        correlation = best.value
        offset = best.offset
    }

    /// The sum of products of the piece and the audio at each position, by way of the Fourier transform.
    private static func crossCorrelation(_ piece: [Float], _ audio: [Float]) -> [Double] {
        var size = 1
        while size < audio.count + piece.count { size *= 2 }
        // Both are real, so one complex transform serves for the two: audio in the real part, piece in the imaginary.
        var real = audio.map(Double.init) + Array(repeating: 0, count: size - audio.count)
        var imaginary = piece.map(Double.init) + Array(repeating: 0, count: size - piece.count)
        transform(&real, &imaginary)
        var productReal = [Double](repeating: 0, count: size)
        var productImaginary = [Double](repeating: 0, count: size)
        for index in 0..<size {
            let mirror = (size - index) % size
            // S = (Z + Z'*) / 2, P = (Z - Z'*) / 2i; wanted: S · P*
            let audioReal = (real[index] + real[mirror]) / 2
            let audioImaginary = (imaginary[index] - imaginary[mirror]) / 2
            let pieceReal = (imaginary[index] + imaginary[mirror]) / 2
            let pieceImaginary = (real[mirror] - real[index]) / 2
            productReal[index] = audioReal * pieceReal + audioImaginary * pieceImaginary
            productImaginary[index] = audioImaginary * pieceReal - audioReal * pieceImaginary
        }
        // The inverse transform is the forward one with real and imaginary part exchanged.
        transform(&productImaginary, &productReal)
        return productReal[..<(audio.count - piece.count + 1)].map { $0 / Double(size) }
    }

    /// Radix-2 fast Fourier transform in place (Cooley and Tukey); the count is a power of two.
    private static func transform(_ realPart: inout [Double], _ imaginaryPart: inout [Double]) {
        let count = realPart.count
        realPart.withUnsafeMutableBufferPointer { real in
            imaginaryPart.withUnsafeMutableBufferPointer { imaginary in
                var reversed = 0
                for index in 1..<max(count, 1) {
                    var bit = count >> 1
                    while reversed & bit != 0 {
                        reversed ^= bit
                        bit >>= 1
                    }
                    reversed |= bit
                    if index < reversed {
                        real.swapAt(index, reversed)
                        imaginary.swapAt(index, reversed)
                    }
                }
                var length = 2
                while length <= count {
                    let half = length / 2
                    for step in 0..<half {
                        let angle = -2 * Double.pi * Double(step) / Double(length)
                        let (cosine, sine) = (cos(angle), sin(angle))
                        var low = step
                        while low < count {
                            let high = low + half
                            let turnedReal = real[high] * cosine - imaginary[high] * sine
                            let turnedImaginary = real[high] * sine + imaginary[high] * cosine
                            real[high] = real[low] - turnedReal
                            imaginary[high] = imaginary[low] - turnedImaginary
                            real[low] += turnedReal
                            imaginary[low] += turnedImaginary
                            low += length
                        }
                    }
                    length *= 2
                }
            }
        }
    }
}
