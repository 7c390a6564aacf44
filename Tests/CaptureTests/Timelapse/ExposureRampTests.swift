import Foundation
import Testing

@testable import Capture

/// A camera whose exposure follows the light, from noon to night and back.
@Suite struct ExposureRampTests {
    private static func control(_ value: Int32, step: Int32 = 1, upTo most: Int32 = 5000) -> V4L2Control {
        V4L2Control(id: V4L2ID.exposureTime, title: "Exposure", range: 1...most, step: step, value: value)
    }

    /// What a camera shows of light, in percent of luma.
    private static func luma(_ light: Double, _ exposure: Int32) -> Double {
        100 * pow(min(1, light * Double(exposure) / 5000), 1 / 2.2)
    }

    @Test func `shots stay as light as the first, and none is exposed by more than a sixth of a stop otherwise`() {
        var value: Int32 = 40
        let ramp = ExposureRamp(luma: Self.luma(20, value))
        var worst = 0.0
        for shot in 0..<900 {
            // Six stops darker in 300 shots, then as long, then light again.
            let stops = 6 * min(1, Double(min(shot, 900 - shot)) / 300)
            let light = 20 * pow(2, -stops)
            let luma = Self.luma(light, value)
            worst = max(worst, abs(2.2 * log2(luma / Self.luma(20, 40))))
            guard let next = ramp.next(Self.control(value), luma: luma) else { continue }
            #expect(abs(log2(Double(next) / Double(value))) <= 1.0 / 6 + 1e-6)
            value = next
        }
        #expect(worst < 0.15, "\(worst)")
        #expect(abs(value - 40) <= 2, "\(value)")
    }

    @Test func `light that jumps is followed by a sixth of a stop a shot`() {
        let ramp = ExposureRamp(luma: 40)
        var value: Int32 = 1000
        var shots = 0
        while let next = ramp.next(Self.control(value), luma: Self.luma(0.02, value)), shots < 100 {
            (value, shots) = (next, shots + 1)
        }
        // To the end of what the camera has, which is 2.3 stops away.
        #expect(value == 5000 && (14...18).contains(shots), "\(value) after \(shots)")
    }

    /// Cameras count their gain as they like: as a factor from 16 for 1, or in tenths of a decibel from 0.
    enum GainScale: CaseIterable {
        case factor, decibels

        var range: ClosedRange<Int32> { self == .factor ? 16...255 : 0...300 }
        func factor(_ value: Int32) -> Double {
            self == .factor ? Double(value) / 16 : pow(10, Double(value) / 200)
        }
    }

    @Test(arguments: GainScale.allCases)
    func `gain goes on where the exposure time is at its end, and is lowered first when it gets light`(
        _ scale: GainScale
    ) {
        var (time, gain): (Int32, Int32) = (40, scale.range.lowerBound + 8)
        let first = gain
        let ramp = ExposureRamp(luma: Self.luma(20, time) * pow(scale.factor(gain), 1 / 2.2), gain: gain)
        func exposure() -> Double { Double(time) * scale.factor(gain) }
        let target = 20 * exposure()
        var (worst, largest, mixed) = (0.0, 0.0, 0)
        var gains: [Int32] = []
        for shot in 0..<2400 {
            // Nine stops darker, of which the time has seven, then back.
            let light = 20 * pow(2, -9 * min(1, Double(min(shot, 2399 - shot)) / 1100))
            worst = max(worst, abs(log2(light * exposure() / target)))
            let luma = 100 * pow(min(1, light * exposure() / 5000), 1 / 2.2)
            let control = V4L2Control(id: V4L2ID.gain, title: "Gain", range: scale.range, value: gain)
            guard let setting = ramp.next(time: Self.control(time), gain: control, luma: luma) else { continue }
            let before = exposure()
            if setting.id == V4L2ID.gain { gain = setting.value } else { time = setting.value }
            largest = max(largest, abs(log2(exposure() / before)))
            if gain != first, time < 4990 { mixed += 1 }
            gains.append(gain)
        }
        #expect(largest <= 1.0 / 6 + 1e-6, "\(largest)")
        #expect(worst < 0.2, "\(worst)")
        #expect(
            mixed == 0 && scale.factor(gains.max() ?? 0) / scale.factor(first) > 3.5, "\(mixed), \(gains.max() ?? 0)")
        #expect(gain == first && abs(time - 40) <= 2, "\(gain), \(time)")
    }

    @Test func `a camera that has a gain only is ramped by that, to its end and no further`() {
        let ramp = ExposureRamp(luma: 40, gain: 100)
        var (value, shots): (Int32, Int) = (100, 0)
        func next(_ luma: Double) -> V4L2Setting? {
            ramp.next(
                time: nil, gain: V4L2Control(id: V4L2ID.gain, title: "Gain", range: 0...255, value: value), luma: luma)
        }
        while let setting = next(10), shots < 100 {
            #expect(setting.id == V4L2ID.gain && (1...5).contains(setting.value - value))
            (value, shots) = (setting.value, shots + 1)
        }
        #expect(value == 255 && (30...40).contains(shots), "\(value) after \(shots)")
        while let setting = next(95), shots < 300 { (value, shots) = (setting.value, shots + 1) }
        #expect(value == 0, "\(value)")
        #expect(ramp.next(time: nil, gain: nil, luma: 10) == nil)
    }

    @Test func `where a step of the control is more than a sixth of a stop, one is taken when the light asks for it`() {
        let ramp = ExposureRamp(luma: 40)
        // From 3 to 4 are 0.42 stops.
        #expect(ramp.next(Self.control(3), luma: 36) == nil)
        #expect(ramp.next(Self.control(3), luma: 30) == 4)
        #expect(ramp.next(Self.control(4), luma: 80) == 3)
        #expect(ramp.next(Self.control(1), luma: 80) == nil)
        #expect(ramp.next(Self.control(1000), luma: 40.2) == nil)
        #expect(ramp.next(Self.control(0), luma: 10) == nil)
    }
}
