import Foundation
import MediaTypes
import MovieFiles
import TestSupport
import Testing

@testable import Export

@Suite struct FrameSelectionTests {
    /// Frames at 25 a second in the order of decoding: groups of so many, of which each third one is decoded early.
    private func frames(_ count: Int, group: Int) -> [VideoIndex.Frame] {
        (0..<count).map { place in
            let (begin, number) = (place / group * group, place % group)
            // I P B B P B B: shown are 0, 3, 1, 2, 6, 4, 5.
            let shown = number == 0 ? 0 : number % 3 == 1 ? min(number + 2, group - 1, count - 1 - begin) : number - 1
            let time = (begin + shown) * 40 * MediaTime.millisecond
            return VideoIndex.Frame(time: time, beginsGroup: number == 0)
        }
    }

    private func select(
        _ frames: [VideoIndex.Frame], speed: Double, rate: Int = 25, isExact: Bool = false
    ) -> FrameSelection {
        FrameSelection(
            frames, duration: frames.count * 40 * .millisecond, grid: TimelapseGrid(speed: speed, rate: Fraction(rate)),
            isExact: isExact)
    }

    @Test func `where there is a key frame for each moment nothing else is decoded`() {
        let frames = frames(1000, group: 10)
        let selection = select(frames, speed: 10)
        #expect(selection.chosen.map(\.index) == Array(stride(from: 0, to: 1000, by: 10)))
        #expect(selection.chosen.map(\.slot) == Array(0..<100))
        #expect(selection.decoded == stride(from: 0, to: 1000, by: 10).map { $0..<$0 + 1 })
        #expect(select(frames, speed: 10, isExact: true) == selection)
    }

    @Test func `key frames that lie a little farther apart than the moments do as well, but for one now and then`() {
        // 2.04 s and 2 s.
        let frames = frames(51 * 200, group: 51)
        let selection = select(frames, speed: 50)
        let keys = selection.chosen.count { frames[$0.index].beginsGroup }
        #expect(selection.chosen.count == 204 && keys >= 196, "\(keys)")
        for chosen in selection.chosen {
            #expect(abs(frames[chosen.index].time.seconds - Double(chosen.slot) * 2) <= 1.001)
        }
    }

    @Test
    func `where they lie far apart each moment is shown exactly, and what comes after the last of a group is left out`()
    {
        let frames = frames(1000, group: 100)
        let selection = select(frames, speed: 30)
        let times = selection.chosen.map { Int((frames[$0.index].time.seconds * 25).rounded()) }
        // 90 lies near 100? No: an eighth of thirty frames is less than four.
        #expect(times.allSatisfy { $0 % 30 == 0 || $0 % 100 == 0 })
        for (time, chosen) in zip(times, selection.chosen) { #expect(abs(time - chosen.slot * 30) <= 3) }
        #expect(selection.decoded.allSatisfy { frames[$0.lowerBound].beginsGroup } && selection.decodedCount < 1000)
    }

    @Test(arguments: [(2.0, 25), (3.7, 30), (10, 24), (50, 30), (1.5, 60), (400, 25)])
    func `exactly is what a decoder's output would be taken of`(_ speed: Double, _ rate: Int) {
        let frames = frames(500, group: 30)
        let selection = select(frames, speed: speed, rate: rate, isExact: true)
        var sampler = GridSampler(TimelapseGrid(speed: speed, rate: Fraction(rate)))
        let shown = frames.indices.sorted { frames[$0].time < frames[$1].time }
        var sampled: [Int] = []
        for index in shown where sampler.take(frames[index].time) != nil { sampled.append(index) }
        #expect(selection.chosen.map(\.index) == sampled)
        #expect(zip(selection.chosen, selection.chosen.dropFirst()).allSatisfy { $0.slot < $1.slot })
    }

    @Test func `frames that are shown before their key frame need the group before it`() {
        // An open group: 3 is the key frame, 4 and 5 are shown before it.
        let times = [0, 2, 1, 5, 3, 4, 6].map { $0 * 40 * MediaTime.millisecond }
        let frames = times.enumerated().map { VideoIndex.Frame(time: $1, beginsGroup: $0 == 0 || $0 == 3) }
        let selection = select(frames, speed: 3, isExact: true)
        #expect(selection.chosen.map(\.index) == [0, 4, 6])
        #expect(selection.decoded == [0..<7])
        #expect(select(frames, speed: 5, isExact: true).decoded == [0..<1, 3..<4])
    }

    @Test func `an index that makes no sense ends`() {
        var random = SeededGenerator(state: 7)
        for _ in 0..<200 {
            let frames = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                VideoIndex.Frame(
                    time: Int.random(in: -1000...1000, using: &random) * MediaTime.millisecond,
                    beginsGroup: Bool.random(using: &random), isShown: Bool.random(using: &random))
            }
            let selection = select(
                frames, speed: Double.random(in: 1.1...50, using: &random), isExact: Bool.random(using: &random))
            #expect(selection.chosen.allSatisfy { chosen in selection.decoded.contains { $0.contains(chosen.index) } })
        }
    }
}
