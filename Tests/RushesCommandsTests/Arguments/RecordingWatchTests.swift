import MediaTypes
import Testing

@testable import RushesCommands

/// What is noticed of a recording while it runs.
struct RecordingWatchTests {
    /// What is told at half seconds, with the second.
    private func news(_ levels: (Double) -> [Double]?, for seconds: Double) -> [String] {
        var watch = SilenceWatch()
        return stride(from: 0, through: seconds, by: 0.5).compactMap { time in
            watch.take(levels(time), at: .seconds(time)).map { "\(time): \($0)" }
        }
    }

    @Test func `a microphone that is silent for ten seconds is told once, and taken back when its audio returns`() {
        #expect(news({ $0 < 60 ? [-100, -90] : [-90, -40] }, for: 90) == ["10.0: silent(10)", "60.0: returned"])
        #expect(news({ _ in [-100] }, for: 600) == ["10.0: silent(10)"])
    }

    @Test func `who is quiet for a while, or a microphone that measures nothing, is not told`() {
        #expect(news({ Int($0) % 10 == 9 ? [-50] : [-100] }, for: 90) == [])
        #expect(news({ _ in nil }, for: 90) == [])
        #expect(news({ _ in [-60] }, for: 90) == [])
    }

    @Test func `silence that comes again is told later each time`() {
        // Heard for a second at each full minute.
        let told = news({ Int($0) % 60 == 59 ? [-20] : [-100] }, for: 240)
        #expect(
            told == [
                "10.0: silent(10)", "59.0: returned", "80.0: silent(20)", "119.0: returned", "160.0: silent(40)",
                "179.0: returned",
            ])
    }

    @Test func `the frame rate is that of the last seconds, and stands still in a pause`() {
        var rate = RecentFrameRate()
        var told: [Double?] = []
        for half in 0...20 {
            let time = Double(half) / 2
            // Thirty a second, and from the fifth second on half of that.
            told.append(rate.take(Int(min(time, 5) * 30 + max(0, time - 5) * 15), at: MediaTime(seconds: time)))
        }
        #expect(told[1] == nil && told[2] == 30 && told[10] == 30 && told[20].map { abs($0 - 15) < 1 } == true)
        #expect(rate.take(225, at: 10 * .second).map { abs($0 - 15) < 2 } == true)
        // Another file begins.
        #expect(rate.take(0, at: .zero) == nil)
    }
}
