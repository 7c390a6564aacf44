import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import SystemPackage
import Threads

/// The installed ffmpeg, which measures how like two movies are.
struct MetricProgram: Sendable {
    let metric: TargetQuality.Metric
    private static let name = "ffmpeg"

    /// Looks whether ffmpeg is installed and knows the metric.
    ///
    /// - Throws: ``RushesError`` with what to install.
    static func find(_ metric: TargetQuality.Metric) async throws -> MetricProgram {
        guard NewProcess.path(of: name) != nil else {
            throw RushesError(.metricMissing, "\(Term.targetQuality) is measured by ffmpeg; install ffmpeg.")
        }
        let filters = try await onOwnThread("rushes-metric") {
            try ChildProcess(name, ["-nostdin", "-hide_banner", "-filters"], within: Self.start) { true }
        }
        if filters.words.contains(" \(metric.filter) ") { return MetricProgram(metric: metric) }
        // One that is ended while it tells knows no more of itself.
        guard filters.status >= 0 else {
            throw RushesError(
                .encoderFailed,
                "ffmpeg was ended (signal \(-filters.status)) before it said what it can measure; try again, with more memory perhaps."
            )
        }
        throw RushesError(
            .metricMissing,
            metric == .vmaf
                ? "The installed ffmpeg cannot measure VMAF; ask for an SSIM, as in \(Term.targetQuality) ssim:0.985, or put an "
                    + "ffmpeg built with libvmaf first in PATH."
                : "The installed ffmpeg has no filter \(metric.filter); install Debian's ffmpeg.")
    }

    /// The mean score of all frames of a movie beside those of another, the first beside the first and so on.
    ///
    /// - Parameters:
    ///   - frames: how many there are, for how long it may take.
    ///   - status: ends it with the export.
    /// - Throws: ``RushesError``; `CancellationError`.
    func score(
        of movie: UnnamedFile, beside reference: UnnamedFile, frames: Int, size: VideoSize, status: ExportStatus
    ) async throws -> Double {
        // By number: the two containers round times in different ways.
        let (prepared, filter) = (metric.preparation(size), metric.call(size))
        let graph =
            "[0:v]settb=1/25,setpts=N\(prepared)[a];[1:v]settb=1/25,setpts=N\(prepared)[b];[a][b]\(filter)"
        let arguments = [
            "-nostdin", "-hide_banner", "-v", "info", "-i", movie.path.string, "-i", reference.path.string, "-lavfi",
            graph, "-f", "null", "-",
        ]
        let limit = Self.start + Self.eachFrame * frames
        let result = try await onOwnThread("rushes-metric") {
            try ChildProcess(Self.name, arguments, within: limit) { !status.isStopped }
        }
        guard result.status == 0, let score = metric.score(in: result.words) else {
            let last = result.words.split(whereSeparator: \.isNewline).last ?? "it said nothing"
            throw RushesError(.encoderFailed, "ffmpeg could not measure the \(metric.displayName): \(last).")
        }
        return score
    }

    /// For a machine that has much else to do.
    private static let (start, eachFrame) = (Duration.seconds(120), Duration.seconds(5))
}

extension TargetQuality {
    /// Looks whether what measures it is installed.
    ///
    /// - Throws: ``RushesError`` with what to install.
    package func check() async throws { _ = try await MetricProgram.find(metric) }
}

extension TargetQuality.Metric {
    fileprivate var filter: String { self == .vmaf ? "libvmaf" : rawValue }

    /// VMAF's scores are those of a person before a screen of 1080 lines, so what is smaller is scaled up to that.
    fileprivate func preparation(_ size: VideoSize) -> String {
        guard self == .vmaf, size.width < 1728, size.height < 972 else { return "" }
        return ",scale=1920:1080:force_original_aspect_ratio=decrease:force_divisible_by=2:flags=bicubic"
    }

    /// - Parameter size: of the frames; those well above 1440 lines have a model of their own.
    fileprivate func call(_ size: VideoSize) -> String {
        guard self == .vmaf else { return filter }
        let model = size.width > 2560 && size.height > 1440 ? ":model=version=vmaf_4k_v0.6.1" : ""
        return "\(filter)=n_threads=\(MachineCores.available)\(model)"
    }

    /// "SSIM Y:0.99 (20.1) … All:0.991 (20.5)", "VMAF score: 95.1".
    func score(in words: String) -> Double? {
        let mark = self == .vmaf ? "VMAF score: " : " All:"
        guard let range = words.range(of: mark, options: .backwards) else { return nil }
        return Double(words[range.upperBound...].prefix { $0.isNumber || $0 == "." })
    }
}
