import MediaTypes
import TestSupport
import Testing

@testable import Encoding

@Suite struct PacketRingTests {
    /// Ten frames a second with a key frame every so often, and a packet of audio between each two.
    private func fill(
        _ ring: inout PacketRing<String>, frames: Range<Int>, keyFrames: Int, bytes: Int = 100
    ) {
        for frame in frames {
            let time = frame * 100 * .millisecond
            ring.append(
                .init(
                    "v\(frame)", track: 0, time: time, duration: 100 * .millisecond,
                    isKeyFrame: frame % keyFrames == 0, bytes: bytes))
            ring.append(
                .init(
                    "a\(frame)", track: 1, time: time + 50 * .millisecond, duration: 100 * .millisecond,
                    isKeyFrame: true, bytes: 10))
        }
    }

    private func ring(seconds: Int, limit: Int = 1 << 30) -> PacketRing<String> {
        PacketRing(trackCount: 2, duration: seconds * .second, limit: limit)
    }

    @Test func `it keeps whole groups of pictures, as long as was asked for and a group more at most`() throws {
        var ring = ring(seconds: 3)
        for frame in 0..<400 {
            fill(&ring, frames: frame..<frame + 1, keyFrames: 20)
            let span = try #require(ring.packets(from: .zero))
            #expect(span.entries.first?.packet == "v\(frame - frame % 20 - (frame % 20 >= 9 ? 20 : 40))" || frame < 60)
            #expect(ring.span >= min(3 * .second, (frame + 1) * 100 * .millisecond) && ring.span < 5 * .second)
        }
    }

    @Test func `a movie begins with the newest key frame that is not later, and the other tracks from there on`() throws
    {
        var ring = ring(seconds: 100)
        fill(&ring, frames: 0..<60, keyFrames: 20)
        let span = try #require(ring.packets(from: MediaTime(seconds: 4.3)))
        #expect(span.begin == 4 * .second)
        #expect(span.entries.map(\.packet) == (40..<60).flatMap { ["v\($0)", "a\($0)"] })
        // Of what came before the first key frame there is nothing.
        #expect(ring.packets(from: -3 * .second)?.begin == .zero)
        #expect(PacketRing<String>(trackCount: 1, duration: .second, limit: 10).packets(from: .zero) == nil)
    }

    @Test func `what is asked for up to a time ends with it in all tracks`() throws {
        var ring = ring(seconds: 100)
        fill(&ring, frames: 0..<60, keyFrames: 20)
        let span = try #require(ring.packets(from: 4 * .second, until: MediaTime(seconds: 4.95)))
        #expect(span.entries.map(\.packet) == (40..<50).flatMap { ["v\($0)", "a\($0)"] })
        #expect(ring.end == 6 * .second)
    }

    @Test func `audio that came before its key frame belongs to it by its time, frames of the group before do not`()
        throws
    {
        var ring = ring(seconds: 1)
        let frame = 100 * MediaTime.millisecond
        // An encoder that reorders hands the audio's frames out later.
        ring.append(.init("K0", track: 0, time: 0 * frame, duration: frame, isKeyFrame: true, bytes: 1))
        for index in 0..<30 {
            ring.append(.init("a\(index)", track: 1, time: index * frame, duration: frame, isKeyFrame: true, bytes: 1))
        }
        ring.append(.init("K20", track: 0, time: 20 * frame, duration: frame, isKeyFrame: true, bytes: 1))
        ring.append(.init("B19", track: 0, time: 19 * frame, duration: frame, isKeyFrame: false, bytes: 1))
        ring.append(.init("P29", track: 0, time: 29 * frame, duration: frame, isKeyFrame: false, bytes: 1))
        let span = try #require(ring.packets(from: 20 * frame))
        #expect(span.entries.map(\.packet) == (20..<30).map { "a\($0)" } + ["K20", "P29"])
        // The first group is gone with its audio, and what that took of the memory.
        #expect(ring.packets(from: .zero)?.begin == 20 * frame)
        #expect(ring.bytes == 13 * (1 + PacketRing<String>.overhead))
    }

    @Test func `the memory has an end, whatever was asked for`() throws {
        let limit = 100 * (1 << 10)
        var ring = ring(seconds: 3600, limit: limit)
        for frame in 0..<1000 {
            fill(&ring, frames: frame..<frame + 1, keyFrames: 10, bytes: 1000)
            #expect(ring.bytes <= limit)
        }
        #expect(ring.isCut && ring.span >= .second && ring.span < 5 * .second)
        #expect(ring.packets(from: .zero)?.entries.first?.packet.hasPrefix("v") == true)
    }

    @Test func `a group that is larger than the memory goes as a whole, and the next key frame begins anew`() throws {
        var ring = ring(seconds: 1, limit: 20_000)
        // OBS's replay buffer went on for ever where key frames were further apart than it lasts.
        fill(&ring, frames: 0..<300, keyFrames: 1000)
        #expect(ring.isCut && ring.bytes <= 20_000 && ring.packets(from: .zero) == nil)
        fill(&ring, frames: 1000..<1003, keyFrames: 1000)
        #expect(ring.packets(from: .zero)?.entries.map(\.packet).contains("v1002") == true)
    }

    @Test func `key frames further apart than what is asked for keep it all the same`() throws {
        var ring = ring(seconds: 1)
        fill(&ring, frames: 0..<95, keyFrames: 50)
        #expect(ring.packets(from: MediaTime(seconds: 8.5))?.begin == 5 * .second)
        #expect(!ring.isCut)
    }

    @Test func `what is held stays until it is released, but for the memory's end`() throws {
        var ring = ring(seconds: 1)
        fill(&ring, frames: 0..<20, keyFrames: 10)
        ring.hold(from: MediaTime(seconds: 1.5))
        fill(&ring, frames: 20..<200, keyFrames: 10)
        #expect(ring.packets(from: MediaTime(seconds: 1.5))?.begin == .second)
        ring.release(MediaTime(seconds: 1.5))
        #expect(ring.span <= 2 * .second)
    }

    @Test func `without video each packet of the first audio may begin a movie`() throws {
        var ring = PacketRing<Int>(trackCount: 1, duration: .second, limit: 1 << 30)
        for index in 0..<500 {
            let time = index * 20 * MediaTime.millisecond
            ring.append(.init(index, track: 0, time: time, duration: 20 * .millisecond, isKeyFrame: true, bytes: 9))
        }
        #expect(ring.packets(from: MediaTime(seconds: 9.5))?.entries.count == 25)
        #expect(ring.span >= .second && ring.span < MediaTime(seconds: 1.03))
    }
}
