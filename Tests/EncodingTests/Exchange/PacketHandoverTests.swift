import GStreamer
import MediaTypes
import TestSupport
import Testing
import Threads

@testable import Encoding

/// Packets of two encoders as one track, whichever of them hands something out first.
@Suite(.timeLimit(.minutes(10))) struct PacketHandoverTests {
    private struct Packet: Equatable {
        var bytes: [UInt8]
        var description: [UInt8]?

        init(_ sample: Sample) {
            bytes = (try? sample.buffer?.withBytes { Array($0) }) ?? []
            description = sample.caps?.codecData
        }
    }

    /// What an encoder makes of some frames.
    private func packets(_ plan: MoviePlan, _ track: MoviePlan.Track) async throws -> [Sample] {
        let (found, isDone) = (Locked<[Sample]>([]), AsyncSignal())
        let encoder = try TrackEncoder(plan.encoder(of: track, "video"), name: "video", isLive: false) { packet in
            found.withLock { $0.append(packet) }
            return true
        } onEnd: {
            isDone.fire()
        }
        try await encoder.pipeline.setState(.playing)
        let noise = NumberedFrames.noise()
        for index in 0..<6 {
            let frame = NumberedFrames.frame(index, over: noise).withUnsafeBytes {
                Buffer(
                    copying: $0, presentationTime: index * 40 * MediaTime.millisecond, duration: 40 * .millisecond)
            }
            _ = encoder.source.push(frame)
        }
        encoder.source.endOfStream()
        #expect(await isDone.wait(within: .seconds(60)))
        await encoder.pipeline.stop()
        return found.withLock { $0 }
    }

    @Test(arguments: [VideoCodec.h264, .hevc])
    func `an encoder that is slow to begin changes nothing of what follows it`(codec: VideoCodec) async throws {
        var settings = MovieSettings()
        settings.videoCodec = codec
        let caps = try Caps(
            "video/x-raw,format=I420,width=128,height=128,framerate=25/1,colorimetry=bt709,pixel-aspect-ratio=1/1,"
                + "interlace-mode=progressive")
        let plan = try await MoviePlanner(settings: settings, container: .mov).plan(
            frames: .init(caps: caps), audio: []
        ).plan
        let track = try #require(plan.video)
        var faster = track
        faster.nodes = try #require(track.faster.last).nodes
        let (old, new) = (try await packets(plan, track), try await packets(plan, faster))
        #expect(old.count == 6 && new.count == 6)

        func handed(_ feed: (PacketHandover) -> Void) -> (packets: [Packet], ends: Int) {
            let (packets, ends) = (Locked<[Packet]>([]), Locked(0))
            let handover = PacketHandover(holdsSets: false) { packet in
                packets.withLock { $0.append(Packet(packet)) }
                return true
            } onEnd: {
                ends.withLock { $0 += 1 }
            }
            feed(handover)
            return (packets.withLock { $0 }, ends.withLock { $0 })
        }
        let inTurn = handed { handover in
            for packet in old { _ = handover.take(packet, of: 0) }
            handover.begin()
            handover.end(of: 0)
            for packet in new { _ = handover.take(packet, of: 1) }
            handover.end(of: 1)
        }
        let newFirst = handed { handover in
            handover.begin()
            for packet in new { _ = handover.take(packet, of: 1) }
            for packet in old { _ = handover.take(packet, of: 0) }
            handover.end(of: 0)
            handover.end(of: 1)
        }
        #expect(inTurn.packets.count == 12 && inTurn.ends == 1)
        #expect(newFirst.packets == inTurn.packets && newFirst.ends == 1)
        // The later ones name parameter sets of their own.
        #expect(inTurn.packets.dropFirst(6).map(\.bytes) != new.map { Packet($0).bytes })
    }
}
