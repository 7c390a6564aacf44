import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite struct FramePairingTests {
    private typealias Pairing = FramePairing<Int>
    private static let ms = MediaTime.millisecond

    /// A camera that takes a frame every so often, and hands it over later by its delay.
    private struct Camera {
        var interval: MediaTime
        var delay: MediaTime
        var phase: MediaTime = 0
        var gap: Range<MediaTime>?
    }

    /// What is shown of cameras that run for some seconds; a frame's value is its time in microseconds.
    private func shown(_ cameras: [Camera], seconds: Int) -> [Pairing.Output] {
        var events: [(arrival: MediaTime, camera: Int, time: MediaTime)] = []
        for (index, camera) in cameras.enumerated() {
            var time = camera.phase
            while time < seconds * .second {
                if camera.gap?.contains(time) != true { events.append((time + camera.delay, index, time)) }
                time = time + camera.interval
            }
        }
        events.sort { ($0.arrival, $0.camera) < ($1.arrival, $1.camera) }
        var pairing = Pairing(frameDurations: cameras.map(\.interval))
        return events.flatMap {
            let frame = Int($0.time.nanoseconds / 1000)
            // Each camera counts, from another number on.
            let number = FrameNumber(value: UInt64(frame + $0.camera))
            return pairing.receive(frame, number: number, time: $0.time, from: $0.camera, now: $0.arrival)
        }
    }

    @Test(arguments: [(60, 24), (24, 60), (30, 30), (25, 30)])
    func `each main frame is shown once, with the newest inset frame that is not later`(main: Int, inset: Int) {
        let (a, b) = (MediaTime.second / main, MediaTime.second / inset)
        // The inset's frames come eighty milliseconds late.
        let outputs = shown(
            [Camera(interval: a, delay: 5 * Self.ms), Camera(interval: b, delay: 80 * Self.ms, phase: 7 * Self.ms)],
            seconds: 10)
        #expect(outputs.count > 10 * main - main / 5)
        for (index, output) in outputs.enumerated() {
            #expect(output.driver == 0 && output.time == index * a)
            #expect(output.number?.value == UInt64((index * a).nanoseconds / 1000))
            let newest = (output.time - 7 * Self.ms).quotient(dividingBy: b) * b + 7 * Self.ms
            // The very first are shown with the first one.
            let wanted = max(newest, 7 * Self.ms)
            #expect(output.frames[1] == Int(wanted.nanoseconds / 1000), "\(output.time)")
        }
    }

    @Test func `an inset that says nothing stays, holds nobody up, and comes back`() {
        let outputs = shown(
            [
                Camera(interval: 33 * Self.ms, delay: 0),
                Camera(interval: 33 * Self.ms, delay: 0, gap: 2 * .second..<5 * .second),
            ], seconds: 8)
        #expect(outputs.count >= 8000 / 33 - 1)
        let silent = outputs.filter { $0.time > 3 * .second && $0.time < 5 * .second }
        #expect(silent.allSatisfy { $0.frames[1].map { $0 < 2_000_000 } == true && $0.silence[1] != nil })
        #expect(outputs.last?.silence[1] == nil)
        #expect(outputs.last?.frames[1].map { $0 > 7_900_000 } == true)
    }

    @Test func `a main camera that says nothing hands its place over and takes it back`() {
        let outputs = shown(
            [
                Camera(interval: 33 * Self.ms, delay: 0, gap: 2 * .second..<4 * .second),
                Camera(interval: 40 * Self.ms, delay: 0),
            ], seconds: 6)
        let drivers = outputs.map(\.driver)
        #expect(drivers.first == 0 && drivers.last == 0)
        let deputy = outputs.filter { $0.driver == 1 }
        // Its count is not the main camera's.
        #expect(outputs.allSatisfy { ($0.number == nil) == ($0.driver == 1) })
        #expect(deputy.count > 30 && deputy.allSatisfy { $0.time >= 1980 * Self.ms && $0.time < 4100 * Self.ms })
        #expect(deputy.allSatisfy { $0.frames[0] == nil && $0.frames[1] == Int($0.time.nanoseconds / 1000) })
        #expect(zip(outputs, outputs.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    @Test func `a main camera of a frame a second is not taken for silent`() {
        let outputs = shown(
            [Camera(interval: .second, delay: 0), Camera(interval: 66 * Self.ms, delay: 0)], seconds: 10)
        #expect(outputs.allSatisfy { $0.driver == 0 } && outputs.count >= 9)
    }

    @Test func `what comes late because the machine stood still is all shown, and nobody stands in`() {
        var pairing = Pairing(frameDurations: [33 * Self.ms, 33 * Self.ms])
        var shown: [Pairing.Output] = []
        for index in 0..<90 {
            let time = index * 33 * Self.ms
            // Between the thirtieth and the sixtieth nothing ran; the inset's frames come first then.
            let now = (30..<60).contains(index) ? 60 * 33 * Self.ms : time
            guard !(30..<60).contains(index) else { continue }
            if index == 60 {
                for camera in [1, 0] {
                    for late in 30..<60 {
                        shown += pairing.receive(late, time: late * 33 * Self.ms, from: camera, now: now)
                    }
                }
            }
            for camera in [1, 0] { shown += pairing.receive(index, time: time, from: camera, now: now) }
        }
        #expect(shown.allSatisfy { $0.driver == 0 })
        #expect(shown.compactMap { $0.frames[0] } == Array(0..<90))
    }

    @Test func `main frames that come when others were shown in their place are told, each once`() {
        var pairing = Pairing(frameDurations: [33 * Self.ms, 40 * Self.ms])
        var (shown, late): ([Pairing.Output], [MediaTime]) = ([], [])
        func receive(_ time: MediaTime, from camera: Int, now: MediaTime) {
            shown += pairing.receive(0, time: time, from: camera, now: now)
            late += pairing.late
        }
        // The main camera's frames of one and a half seconds come at once behind them, while the other's came in time.
        var main = (0..<150).map { $0 * 33 * Self.ms }
        for inset in (0..<120).map({ $0 * 40 * Self.ms }) {
            while let next = main.first, next <= inset, !(2 * .second..<3500 * Self.ms).contains(inset) {
                receive(main.removeFirst(), from: 0, now: inset)
            }
            receive(inset, from: 1, now: inset)
        }
        let fromMain = shown.filter { $0.driver == 0 }.map(\.time)
        #expect(shown.contains { $0.driver == 1 } && late.count > 40)
        #expect(
            (fromMain + late).sorted() == (0..<150).map { $0 * 33 * Self.ms }.filter { $0 <= shown.last?.time ?? .zero }
        )
    }

    @Test func `a main camera whose clock is set back is shown at once`() {
        var pairing = Pairing(frameDurations: [33 * Self.ms, 33 * Self.ms])
        var shown: [Pairing.Output] = []
        for index in 0..<120 {
            let now = 60 * .second + index * 33 * Self.ms
            for camera in [1, 0] {
                let time = index < 60 ? now : now - 20 * .second
                shown += pairing.receive(index, time: time, from: camera, now: now)
                #expect(pairing.late.isEmpty)
            }
        }
        #expect(shown.compactMap { $0.frames[0] } == Array(0..<120))
    }

    @Test func `an inset that never comes costs a main frame its timeout at most`() {
        var pairing = Pairing(frameDurations: [33 * Self.ms, 33 * Self.ms])
        var shown: [Pairing.Output] = []
        for index in 0..<30 {
            shown += pairing.receive(index, time: index * 33 * Self.ms, from: 0, now: index * 33 * Self.ms)
            #expect(shown.count >= index - 8)
        }
        #expect(shown.allSatisfy { $0.frames[1] == nil })
    }
}
