import Foundation
import GStreamer
import TestSupport
import Testing

@testable import Export

/// Which qualities are tried, without encoding any.
@Suite struct QualitySearchTests {
    /// Runs a search on an encoder whose scores are known.
    private func search(_ goal: TargetQuality, count: Int = 41, first: Int = 25, _ score: (Int) -> Double) -> (
        end: QualitySearch.Step, tries: [Int]
    ) {
        var search = QualitySearch(goal, count: count, first: first)
        var tries: [Int] = []
        while case .attempt(let level) = search.next, tries.count < 50 {
            tries.append(level)
            search.take(score(level), at: level)
        }
        return (search.next, tries)
    }

    @Test(arguments: [0.2, 0.35, 0.6, 1.1]) func `the lowest quality that reaches it is found in few tries`(
        slope: Double
    ) {
        // Decibels of SSIM's error that bend, as those of real encoders do.
        func score(_ level: Int) -> Double {
            let decibels = 8 + slope * Double(level) + 0.004 * Double(level * level)
            return 1 - pow(10, -decibels / 10)
        }
        for goal in [0.9, 0.95, 0.98, 0.985, 0.99, 0.995] {
            let (end, tries) = search(TargetQuality(.ssim, goal), score)
            #expect(tries.count <= 7, "\(goal): \(tries)")
            #expect(Set(tries).count == tries.count)
            let best = (0..<41).first { score($0) >= goal }
            guard let best else {
                #expect(end == .unreachable(score: score(40)))
                continue
            }
            guard case .found(let level, let found) = end else {
                Issue.record("\(goal): \(end)")
                continue
            }
            #expect(level == best && found == score(level) && found >= goal, "\(goal): \(tries)")
        }
    }

    @Test func `any scores that rise end the search, with what reaches the goal`() {
        var random = SeededGenerator(state: 7)
        for round in 0..<500 {
            var scores: [Double] = []
            for _ in 0..<Int.random(in: 1...161, using: &random) {
                let rise = Double.random(in: 0...1, using: &random)
                scores.append((scores.last ?? 0) + rise * rise * rise * rise)
            }
            let top = scores.last ?? 1
            let goal = Double.random(in: 0.01...100, using: &random)
            let first = Int.random(in: -3...170, using: &random)
            let (end, tries) = search(TargetQuality(.vmaf, goal), count: scores.count, first: first) {
                scores[$0] * 90 / max(top, 1e-9)
            }
            #expect(tries.count <= 14, "round \(round): \(tries)")
            #expect(tries.allSatisfy(scores.indices.contains) && Set(tries).count == tries.count)
            switch end {
            case .found(_, let score): #expect(score >= goal)
            case .unreachable(let score): #expect(score < goal && tries.contains(scores.count - 1))
            case .attempt: Issue.record("round \(round) does not end: \(tries)")
            }
        }
    }

    @Test(arguments: [
        ("vmaf:95", TargetQuality(.vmaf, 95)), ("ssim:0.985", TargetQuality(.ssim, 0.985)),
        ("SSIM:.9", TargetQuality(.ssim, 0.9)), ("0.98", TargetQuality(.ssim, 0.98)),
        ("95.5", TargetQuality(.vmaf, 95.5)),
        ("ssim:95", nil), ("ssim:1", nil), ("1", nil), ("0", nil), ("-3", nil), ("100", nil), ("vmaf:nan", nil),
        ("psnr:40", nil), ("vmaf:", nil), ("vmaf:95:2", nil), ("", nil), ("good", nil),
    ]) func `a score is read as people write it, or refused`(text: String, quality: TargetQuality?) {
        #expect(TargetQuality(text) == quality)
    }

    @Test func `ffmpeg's last word is the score`() {
        let words = "[Parsed_ssim_4 @ 0x1] SSIM Y:0.99 (20.1) U:0.98 (17) V:0.97 (15) All:0.985123 (18.2)\n"
        #expect(TargetQuality.Metric.ssim.score(in: words) == 0.985123)
        #expect(TargetQuality.Metric.vmaf.score(in: "[libvmaf @ 0x1] VMAF score: 95.123456\n") == 95.123456)
        #expect(TargetQuality.Metric.vmaf.score(in: words) == nil)
        #expect(TargetQuality.Metric.ssim.score(in: "Error: no such filter") == nil)
    }

    @Test(arguments: [0.5, 9, 11, 600, 7200, 360_000]) func `samples lie in the input, in order, and none twice`(
        seconds: Double
    ) {
        let start = 5 * MediaTime.second
        let end = start + MediaTime(seconds: seconds)
        let spans = SampleSpans.choose(from: start, to: end)
        #expect(spans.allSatisfy { $0.lowerBound >= start && $0.upperBound <= end && !$0.isEmpty })
        #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
        #expect((1...12).contains(spans.count))
        let length = spans.reduce(MediaTime.zero) { $0 + ($1.upperBound - $1.lowerBound) }
        #expect(length <= 24 * .second)
        #expect(SampleSpans.choose(from: start, to: nil).first?.lowerBound == start)
    }
}
