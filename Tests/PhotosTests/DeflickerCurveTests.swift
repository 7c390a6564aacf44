import Foundation
import Imaging
import MediaTypes
import TestSupport
import Testing

@testable import Photos

@Suite struct DeflickerCurveTests {
    @Test func `a light that grows evenly is left as it is, also at both ends`() {
        let lights = (0..<100).map { Optional(0.01 * pow(1.03, Double($0))) }
        for gain in DeflickerCurve(lights).gains { #expect(abs(gain - 1) < 1e-9) }
    }

    @Test func `a flash changes nothing of its neighbors, and is brought to them`() {
        var lights: [Double?] = Array(repeating: 0.2, count: 100)
        lights[40] = 0.8
        let gains = DeflickerCurve(lights).gains
        #expect(abs(gains[40] - 0.25) < 1e-6)
        #expect(gains.indices.allSatisfy { $0 == 40 || abs(gains[$0] - 1) < 1e-6 })
    }

    @Test func `what is not known, few frames and none make no trouble`() {
        #expect(DeflickerCurve([]).gains.isEmpty)
        #expect(DeflickerCurve([nil, nil]).gains == [1, 1])
        #expect(DeflickerCurve([0.5]).gains == [1])
        #expect(DeflickerCurve([0.5, nil, 0.5]).gains.allSatisfy { abs($0 - 1) < 1e-9 })
        #expect(DeflickerCurve([0, 1, 0]).gains.allSatisfy { $0.isFinite && $0 >= 0.25 && $0 <= 4 })
    }

    @Test func `what stands out is found, also at both ends, and nothing else`() {
        var lights: [Double] = (0..<100).map { (shot: Int) -> Double in
            let wave: Double = 1 + 0.08 * sin(Double(shot) * 1.7)
            return 0.05 * pow(1.05, Double(shot)) * wave
        }
        // Lamps that go on are no flash.
        for index in 60..<100 { lights[index] *= 4 }
        #expect(LightOutliers.indices(of: lights).isEmpty)
        let flashes: Set = [0, 20, 41, 42, 43, 98, 99]
        for index in flashes.subtracting([98, 20]) { lights[index] *= 2.5 }
        lights[20] *= 0.3
        #expect(LightOutliers.indices(of: lights) == flashes.subtracting([98]))
        #expect(LightOutliers.indices(of: lights.map { _ in nil }).isEmpty)
        #expect(LightOutliers.indices(of: [0.1, 0.5]).isEmpty && LightOutliers.indices(of: []).isEmpty)
    }

    @Test func `white stays white, black stays black, and no step is lost`() {
        for gain in [0.5, 0.9, 1.1, 2] {
            let frame = FrameBuffer(ImageFormat(.i420, size: VideoSize(256, 2), color: ColorEncoding(.bt601, .full)))
            frame.withMutableView { view in
                for x in 0..<256 { (view.planes[0].base + x).storeBytes(of: UInt8(x), as: UInt8.self) }
                FrameLight.multiply(view, by: gain)
                let values = (0..<256).map { (view.planes[0].base + $0).load(as: UInt8.self) }
                #expect(values[0] == 0 && values[255] == 255)
                #expect(zip(values, values.dropFirst()).allSatisfy { Int($0) <= Int($1) + 1 })
                #expect(abs(Double(values[100]) - 100 * pow(gain, 1 / 2.2)) < 1)
            }
        }
    }
}
