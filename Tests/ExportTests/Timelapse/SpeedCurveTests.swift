import MediaTypes
import Testing

@testable import Export

/// Speeds over time, against sums of small steps.
@Suite struct SpeedCurveTests {
    private static let ramps: [[SpeedPoint]] = [
        [SpeedPoint(60, at: .zero)],
        [SpeedPoint(4, at: .zero), SpeedPoint(60, at: 60 * .second), SpeedPoint(4, at: 300 * .second)],
        [SpeedPoint(100, at: 10 * .second), SpeedPoint(2, at: 20 * .second)],
        [SpeedPoint(1, at: .zero), SpeedPoint(1000, at: .second), SpeedPoint(1, at: 3600 * .second)],
    ]

    @Test(arguments: ramps) func `time in the timelapse is the sum of what each moment takes`(points: [SpeedPoint]) {
        let curve = SpeedCurve(points)
        let step = 0.001
        var sum = 0.0
        for index in 0..<400_000 {
            if index % 10_000 == 0 {
                let source = Double(index) * step
                #expect(abs(curve.shown(at: source) - sum) < 1e-4 * max(1, sum), "at \(source)")
            }
            sum += step / curve.speed(at: (Double(index) + 0.5) * step)
        }
    }

    @Test(arguments: ramps) func `what is shown at a moment is shown then`(points: [SpeedPoint]) {
        let curve = SpeedCurve(points)
        for source in stride(from: 0.0, to: 4000, by: 7.3) {
            #expect(abs(curve.source(at: curve.shown(at: source)) - source) < 1e-5, "at \(source)")
        }
    }

    @Test func `speeds are met, and change slowly beside them`() {
        let curve = SpeedCurve(Self.ramps[1])
        #expect(curve.speed(at: 0) == 4 && abs(curve.speed(at: 60) - 60) < 1e-9 && curve.speed(at: 1000) == 4)
        // Halfway in time is halfway between in octaves.
        #expect(abs(curve.speed(at: 30) - (4.0 * 60).squareRoot()) < 1e-9)
        #expect(abs(curve.speed(at: 0.6) - 4) < 0.01 && abs(curve.speed(at: 59.4) - 60) < 0.1)
    }
}
