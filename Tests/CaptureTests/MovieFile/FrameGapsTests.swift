import GStreamer
import TestSupport
import Testing

@testable import Capture

@Suite struct FrameGapsTests {
    private static let frame: MediaTime = 33_333_333

    /// What is missing of a camera at 30 that delivered these frames, by their number.
    private func missing(_ frames: [Double], end: Double? = nil) -> Int {
        var gaps = FrameGaps(frameDuration: Self.frame)
        for frame in frames { gaps.add(MediaTime(seconds: frame * Self.frame.seconds)) }
        gaps.finish(at: end.map { MediaTime(seconds: $0 * Self.frame.seconds) })
        return gaps.missing
    }

    private func numbers(_ range: Range<Int>) -> [Double] { range.map(Double.init) }

    @Test func `a camera that delivers all owes nothing`() {
        #expect(missing(numbers(0..<300), end: 300) == 0)
    }

    @Test func `each frame that does not come is counted, wherever it is`() {
        #expect(missing(numbers(0..<300).filter { ![3, 50, 51, 52, 200].contains($0) }, end: 300) == 5)
    }

    @Test func `two seconds of silence are sixty frames`() {
        #expect(missing(numbers(0..<100) + numbers(160..<300), end: 300) == 60)
    }

    @Test func `silence up to the end is counted too, unless the camera is gone`() {
        #expect(missing(numbers(0..<100), end: 130) == 30)
        #expect(missing(numbers(0..<100)) == 0)
    }

    @Test func `frames that were held up and come at once leave no gap`() {
        let held = numbers(100..<110).map { max($0, 109 + ($0 - 100) / 100) }
        #expect(missing(numbers(0..<100) + held + numbers(110..<300), end: 300) == 0)
    }

    @Test func `of ten that were held up three came`() {
        #expect(missing(numbers(0..<100) + [109, 109.1, 109.2] + numbers(110..<300), end: 300) == 7)
    }

    @Test(arguments: [0.1, 0.22, 0.35, 0.6])
    func `frames that are late and catch up little by little leave no gap`(step: Double) {
        let late: [Double] = (0..<20).map { max(0, 1.4 - Double($0) * step) }
        let held: [Double] = (100..<120).map { Double($0) + late[$0 - 100] }
        #expect(missing(numbers(0..<100) + held + numbers(120..<300), end: 300) == 0)
    }

    @Test func `what is missing is counted, however evenly others catch up later`() {
        let late: [Double] = (0..<20).map { max(0, 1.5 - Double($0) * 0.22) }
        let held: [Double] = (106..<126).map { Double($0) + late[$0 - 106] }
        #expect(missing(numbers(0..<100) + numbers(101..<106) + held + numbers(126..<300), end: 300) == 1)
    }

    @Test func `on a busy machine almost all that is missing is counted, and little else`() {
        var random = SeededGenerator(state: 7)
        var off = 0
        for _ in 0..<200 {
            let lost = Set((0..<6).map { _ in Int.random(in: 20..<280, using: &random) })
            var (late, last, frames) = (0.0, -1.0, [Double]())
            for number in 0..<300 {
                if number < 270, Int.random(in: 0..<25, using: &random) == 0 {
                    late = .random(in: 0...2.5, using: &random)
                }
                last = max(last + 0.03, Double(number) + late)
                if !lost.contains(number) { frames.append(last) }
                late = max(0, late - .random(in: 0.2...0.9, using: &random))
            }
            off += abs(missing(frames) - lost.count)
        }
        // Late by a frame for long is not to be told from one that is lost: two of a hundred.
        #expect(off <= 40)
    }

    @Test(arguments: [0.95, 0.99, 1.01, 1.05, 2])
    func `a camera that is slower or faster than promised owes nothing`(speed: Double) {
        #expect(missing(numbers(0..<300).map { $0 / speed }) == 0)
    }

    @Test(arguments: [2.0, 3, 4.5])
    func `a camera that goes over to a slower rhythm in the dark, and back, owes nothing`(factor: Double) {
        let dark = (1...60).map { 100 + Double($0) * factor }
        let bright = (1...100).map { (dark.last ?? 0) + Double($0) }
        #expect(missing(numbers(0..<101) + dark + bright) == 0)
    }

    @Test func `what is missing in the dark is counted in that rhythm`() {
        let dark = (1...60).filter { ![30, 31].contains($0) }.map { 100 + Double($0) * 2 }
        #expect(missing(numbers(0..<101) + dark) == 2)
    }

    @Test func `scatter of a third of a frame is no gap`() {
        let scatter: [Double] = [0, 0.33, 0.1, 0.25, 0.02]
        let scattered: [Double] = (0..<300).map { Double($0) + scatter[$0 % 5] }
        #expect(missing(scattered, end: 300) == 0)
        for lean in [0.3, -0.3] {
            let leaning: [Double] = (0..<300).map { $0 % 2 == 0 ? Double($0) + lean : Double($0) - lean }
            #expect(missing(leaning) == 0)
        }
    }

    @Test func `what is counted while it runs never falls`() {
        var gaps = FrameGaps(frameDuration: 100)
        var last = 0
        for time in [0, 100, 200, 900, 901, 902] + Array(stride(from: 1000, through: 8000, by: 100)) {
            gaps.add(time * .nanosecond)
            #expect(gaps.missing >= last)
            last = gaps.missing
        }
        #expect(last == 4)
    }
}

@Suite struct FrameBacklogTests {
    @Test func `three seconds wait, where the memory allows it`() {
        #expect(FrameBacklog.limit(rate: 24, frameBytes: 820_000, freeMemory: 8_000_000_000) == 72)
        // Half a gigabyte at most, and a quarter of what is free.
        #expect(FrameBacklog.limit(rate: 60, frameBytes: 16_000_000, freeMemory: 64_000_000_000) == 32)
        #expect(FrameBacklog.limit(rate: 30, frameBytes: 4_000_000, freeMemory: 200_000_000) == 12)
    }

    @Test func `a few always may`() {
        #expect(FrameBacklog.limit(rate: 0.5, frameBytes: 1, freeMemory: .max) == 4)
        #expect(FrameBacklog.limit(rate: 30, frameBytes: 50_000_000, freeMemory: 0) == 4)
        #expect(FrameBacklog.limit(rate: .infinity, frameBytes: 0, freeMemory: -1) == 4)
    }
}
