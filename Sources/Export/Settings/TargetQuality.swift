import Foundation

/// How similar to its input an export has to be, by a similarity metric.
public struct TargetQuality: Codable, Sendable, Hashable {
    /// What measures it: filters of the installed ffmpeg.
    public enum Metric: String, Codable, Sendable, Hashable, CaseIterable {
        /// Structural similarity of all planes, from 0 to 1 (Wang, Bovik, Sheikh and Simoncelli, 2004).
        case ssim
        /// Netflix's Video Multi-Method Assessment Fusion, from 0 to 100.
        case vmaf
    }

    /// The similarity metric.
    package var metric: Metric
    /// In the metric's own unit, at least.
    package var score: Double

    /// - Parameters:
    ///   - metric: what measures the similarity.
    ///   - score: at least so much, on the metric's own scale.
    public init(_ metric: Metric, _ score: Double) { (self.metric, self.score) = (metric, score) }

    /// - Parameter text: `vmaf:95`, `ssim:0.985`, or a bare number: up to 1 it is an SSIM, above a VMAF.
    /// - Returns: `nil` for anything else, and for a score that no encoder can miss or reach.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 2, let score = Double(last) else { return nil }
        let metric = parts.count == 2 ? Metric(rawValue: String(parts[0])) : score <= 1 ? .ssim : .vmaf
        guard let metric, score > 0, score < metric.best else { return nil }
        self.init(metric, score)
    }
}

extension TargetQuality.Metric {
    /// The score of a frame beside itself.
    var best: Double {
        switch self {
        case .ssim: 1
        case .vmaf: 100
        }
    }

    var displayName: String { rawValue.uppercased() }

    func words(_ score: Double) -> String {
        let digits = self == .ssim ? 10_000.0 : 100
        return "\(displayName) \((score * digits).rounded() / digits)"
    }

    /// A score on a scale that falls nearly straight with an encoder's quality: the decibels of SSIM's error, VMAF itself.
    func linearized(_ score: Double) -> Double {
        switch self {
        case .ssim: -10 * log10(max(1e-6, 1 - score))
        case .vmaf: score
        }
    }

    /// By how much that rises with one step of x264's or x265's CRF, as a first guess; measured on Big Buck Bunny.
    var usualSlope: Double {
        switch self {
        case .ssim: 0.35
        case .vmaf: 1.5
        }
    }
}
