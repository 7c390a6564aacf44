import MediaTypes
import TestSupport
import Testing

@testable import CaptureAudio

@Suite struct LevelMeterTests {
    @Test func `each channel has its own level, in decibels relative to full scale`() throws {
        var meter = LevelMeter(channels: 2)
        meter.add((0..<1000).flatMap { [$0 % 2 == 0 ? 0.5 : -0.5, $0 == 7 ? Float(1) : 0] })
        let read = meter.read()
        let level = try #require(read)
        #expect(abs(level.average[0] + 6.02) < 0.01)
        #expect(abs(level.peak[0] + 6.02) < 0.01)
        #expect(abs(level.average[1] + 30) < 0.01)
        #expect(level.peak[1] == 0)
    }

    @Test func `it begins anew when it is read, and has nothing to say before audio comes`() {
        var meter = LevelMeter(channels: 1)
        var levels = [meter.read()]
        meter.add([1, -1])
        levels += [meter.read(), meter.read()]
        meter.addSilence(frames: 10)
        levels.append(meter.read())
        let floor = [LevelMeter.floor]
        #expect(levels == [nil, AudioLevel(average: [0], peak: [0]), nil, AudioLevel(average: floor, peak: floor)])
    }
}

@Suite struct GainStageTests {
    @Test func `twenty decibels are a factor of ten, cut off at full scale`() {
        var stage = GainStage()
        stage.set(decibels: 20, isMuted: false)
        var samples: [Float] = Array(repeating: 0.05, count: 480)
        stage.apply(to: &samples, channels: 1)
        var next: [Float] = [0.05, -0.05, 0.2, -0.2]
        stage.apply(to: &next, channels: 2)
        #expect(zip(next, [0.5, -0.5, 1, -1] as [Float]).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test func `muting fades over one buffer, so that nothing clicks, and silence follows`() {
        var stage = GainStage()
        stage.set(decibels: 0, isMuted: true)
        var samples: [Float] = Array(repeating: 1, count: 960)
        stage.apply(to: &samples, channels: 2)
        #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($0 - $1) < 0.01 })
        #expect(samples.last == 0)
        var next: [Float] = [1, 1]
        stage.apply(to: &next, channels: 2)
        #expect(next == [0, 0])
    }

    @Test func `no gain leaves every sample as it is`() {
        var stage = GainStage()
        var samples: [Float] = [0.1, 2, -3]
        stage.apply(to: &samples, channels: 1)
        #expect(samples == [0.1, 2, -3])
    }
}

@Suite struct AudioChunkTests {
    private let chunk = AudioChunk(
        rowStart: 2_000_000_000, position: 100, samples: (0..<20).map(Float.init), channels: 2, rate: 48_000)

    @Test func `a part keeps its place and its channels together`() throws {
        let part = try #require(chunk.clipped(to: 103..<105))
        #expect(part.position == 103)
        #expect(part.samples == [6, 7, 8, 9])
        #expect(chunk.clipped(to: 0..<1000)?.samples == chunk.samples)
    }

    @Test func `outside it there is nothing`() {
        #expect(chunk.clipped(to: 0..<100) == nil)
        #expect(chunk.clipped(to: 110..<200) == nil)
        #expect(chunk.clipped(to: 105..<105) == nil)
    }

    @Test func `times are rounded to the sample`() {
        #expect(chunk.position(at: 2_000_000_000) == 0)
        #expect(chunk.position(at: 2_001_000_000) == 48)
        #expect(chunk.position(at: 2_000_010_417) == 1)
        #expect(chunk.position(at: 1_999_000_000) == -48)
    }
}
