import GStreamer
import Imaging
import MediaTypes
import TestSupport
import Testing
import Threads

@testable import Capture

@Suite(.timeLimit(.minutes(5))) struct InsetRateTests {
    private func placements(_ rectangles: [PixelRectangle]) -> [FeedPlacement] {
        rectangles.enumerated().map {
            FeedPlacement(feed: $0, rectangle: $1, crop: CropRectangle(x: 0, y: 0, width: 320, height: 180))
        }
    }

    /// How many of a hundred frames of each camera are taken.
    private func kept(_ rate: inout InsetRate) -> [Int] {
        (0..<3).map { camera in (0..<100).count { _ in rate.keeps(camera) } }
    }

    @Test func `half of the frames of what is shown small are taken, and all of what is seen most`() {
        let (whole, half) = (
            PixelRectangle(x: 0, y: 0, width: 640, height: 360), PixelRectangle(x: 0, y: 0, width: 300, height: 360)
        )
        let small = PixelRectangle(x: 480, y: 0, width: 160, height: 90)
        var rate = InsetRate(cameras: 3)
        rate.divisor = 2
        #expect(kept(&rate) == [100, 100, 100])
        rate.show(placements([whole, small, small]))
        #expect(rate.insets == [1, 2] && kept(&rate) == [100, 50, 50])
        // Side by side.
        rate.show(placements([half, half, small]))
        #expect(kept(&rate) == [100, 100, 50])
        // The main camera's frames are the movie's, also where it is the inset.
        rate.show(placements([small, whole, small]))
        #expect(kept(&rate) == [100, 100, 50])
        rate.show(placements([whole, small]))
        #expect(kept(&rate) == [100, 50, 100])
        rate.divisor = 1
        #expect(kept(&rate) == [100, 100, 100])
    }

    /// What of the inset stands in the composed frames, as they come.
    private final class Shown: Sendable {
        let lumas = Locked<[UInt8]>([])
        private let (signal, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

        func add(_ luma: UInt8) {
            lumas.withLock { $0.append(luma) }
            continuation.yield()
        }

        /// Waits until it is so of the last frames, two minutes at most.
        func waits(until condition: @escaping @Sendable ([UInt8]) -> Bool) async -> Bool {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for await _ in self.signal where condition(self.lumas.withLock { $0 }) { return true }
                    return false
                }
                group.addTask {
                    try? await Task.sleep(for: .seconds(120))
                    return false
                }
                defer { group.cancelAll() }
                return await group.next() ?? false
            }
        }
    }

    /// A camera whose frames are black and white by turns, and come as JPEGs.
    private var blinking: VideoSourcePlan {
        get throws {
            let caps = "video/x-raw,format=I420,width=320,height=180,framerate=30/1"
            var plan = try VideoSourcePlan(.launchLine("videotestsrc is-live=true pattern=blink ! \(caps)"))
            plan.nodes = [
                .make("videotestsrc", ["is-live": true, "pattern": "blink"]), .caps(try Caps(caps)), .make("jpegenc"),
                .make("jpegdec"),
            ]
            plan.format = CaptureFormat(encoding: .mjpeg, size: VideoSize(320, 180), rates: [Fraction(30)])
            (plan.decoder, plan.rate) = ("jpegdec", Fraction(30))
            return plan
        }
    }

    private func feed(_ feeds: [VideoFeed], _ baseTime: MediaTime) throws -> CompositionFeed {
        CompositionFeed(
            feeds, layout: try Layout("top-right,size=50%,margin=0"), keepsChroma: false,
            now: { Pipeline.systemTime - baseTime })
    }

    @Test func `an inset with half of its frames is composed, and then with all again`() async throws {
        let main = try VideoSourcePlan(
            .launchLine(
                "videotestsrc is-live=true pattern=red ! video/x-raw,format=I420,width=640,height=360,framerate=30/1"))
        let baseTime = Pipeline.systemTime
        let feeds = try [main, blinking].map { try VideoFeed($0, baseTime: baseTime, isComposable: true) }
        let feed = try feed(feeds, baseTime)
        #expect(!feed.canThinInsets)
        let shown = Shown()
        _ = feed.listen { frame in
            guard let layout = VideoFrameLayout(frame.caps) else { return }
            try? frame.buffer.withPlanes(layout) { planes in
                shown.add((planes[0].base + 40 * planes[0].bytesPerRow + 480).load(as: UInt8.self))
            }
        }
        for feed in feeds { try await feed.start() }
        // All but a few of them, as some may come late.
        let areAll: @Sendable ([UInt8]) -> Bool = { lumas in
            let last = lumas.suffix(20)
            return last.count == 20 && zip(last, last.dropFirst()).count { ($0 > 128) != ($1 > 128) } >= 15
        }
        let areHalf: @Sendable ([UInt8]) -> Bool = { lumas in
            let last = lumas.suffix(20)
            return last.count == 20 && Set(last.map { $0 > 128 }).count == 1
        }
        #expect(await shown.waits(until: areAll))
        #expect(feed.canThinInsets)
        feed.thinInsets(to: 2)
        #expect(await shown.waits(until: areHalf))
        // Whoever else takes the inset's frames gets all, and so does the composed one.
        let key = feeds[1].listen { _ in }
        #expect(!feed.canThinInsets)
        #expect(await shown.waits(until: areAll))
        feeds[1].unlisten(key)
        #expect(await shown.waits(until: areHalf))
        feed.thinInsets(to: 1)
        #expect(await shown.waits(until: areAll))
        for feed in feeds { await feed.stop() }
        feed.close()
    }
}
