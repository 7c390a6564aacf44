import Errors
import Foundation
import GStreamer

/// How loud audio in floating point is at its loudest that becomes whole numbers, which hold nothing above full scale.
struct PeakMeter: Sendable {
    /// 1 is full scale.
    private(set) var peak = 0.0
    private let isDouble: Bool

    /// - Parameter format: GStreamer's name of the samples' form.
    /// - Returns: nil of whole numbers.
    init?(_ format: String?) {
        guard format == "F32LE" || format == "F64LE" else { return nil }
        isDouble = format == "F64LE"
    }

    mutating func take(_ buffer: Buffer) {
        let loudest = try? buffer.withBytes { bytes in
            isDouble
                ? bytes.bindMemory(to: Double.self).reduce(0) { max($0, abs($1)) }
                : Double(bytes.bindMemory(to: Float.self).reduce(0) { max($0, abs($1)) })
        }
        peak = max(peak, loudest ?? 0)
    }

    /// What is said of audio that is clipped; nil below what rounding to 16 bits takes away.
    ///
    /// - Parameters:
    ///   - peak: its loudest sample; 1 is full scale.
    ///   - track: its number, from 1; nil where there is only one.
    static func note(_ peak: Double, track: Int?) -> String? {
        // Samples may be infinite, of which no number can be told.
        let decibels = 20 * log10(min(max(peak, 1e-9), Double(Float.greatestFiniteMagnitude)))
        guard decibels > 0.01 else { return nil }
        let name = track.map { "Audio track \($0)" } ?? "The audio"
        let (told, lower) = (String(format: "%.1f", decibels), Int(decibels.rounded(.up)))
        return
            "\(name) reaches \(told) dB above full scale, where whole numbers clip it; lower it with \(Term.audioFilter) volume=-\(lower)dB."
    }
}
