import Errors
import GStreamer
import MediaTypes
import Threads

/// The camera of a timelapse: one feed after the other, as it is closed, lost and opened again.
actor TimelapseCamera {
    private let find: @Sendable () async throws -> VideoSourcePlan
    private let baseTime: MediaTime
    private let isWanted: @Sendable (MediaTime) -> Bool
    private let onFrame: @Sendable (CaptureInput.TimedSample) -> Void
    private let feed = Locked<VideoFeed?>(nil)

    /// A camera that was just opened sends first what its queue held, and needs a moment for its exposure: webcams one second to two.
    static let settling = 1500 * MediaTime.millisecond

    /// - Parameters:
    ///   - find: where it is by now: one that was plugged in again may have another address.
    ///   - isWanted: which of its frames are decoded, by their running time.
    init(
        find: @escaping @Sendable () async throws -> VideoSourcePlan, baseTime: MediaTime,
        isWanted: @escaping @Sendable (MediaTime) -> Bool,
        onFrame: @escaping @Sendable (CaptureInput.TimedSample) -> Void
    ) {
        (self.find, self.baseTime, self.isWanted, self.onFrame) = (find, baseTime, isWanted, onFrame)
    }

    /// Of the feed that is open.
    nonisolated var state: FeedState { feed.withLock { $0?.state } ?? .ended }
    nonisolated var name: String? { feed.withLock { $0?.name } }

    /// Opens it, and lets only those frames come from then on that are asked for.
    ///
    /// - Returns: its first frame, and how it was opened.
    /// - Throws: ``RushesError`` if it cannot be opened or gives no frame.
    func open() async throws -> (first: CaptureInput.TimedSample, plan: VideoSourcePlan) {
        await close()
        let plan = try await find()
        guard plan.encoding == nil else {
            throw RushesError(.invalidSettings, "The frames of a timelapse are encoded; leave copy out.")
        }
        let gate = FrameGate()
        do {
            let new = try VideoFeed(plan, baseTime: baseTime, gate: gate)
            do {
                try await new.start()
                let first = try await new.firstFrame()
                _ = new.listen(onFrame)
                gate.open(to: plan.isStampedOnArrival ? Self.fresh(plan, isWanted) : isWanted)
                feed.withLock { $0 = new }
                return (first, plan)
            } catch {
                await new.stop()
                throw error
            }
        } catch let error as GStreamerError {
            throw RushesError(opening: plan.name, isLaunchLine: plan.isLaunchLine, error)
        }
    }

    /// Asks for none that lay in a queue while this program was held up, and is stamped as if it was new.
    private static func fresh(
        _ plan: VideoSourcePlan, _ isWanted: @escaping @Sendable (MediaTime) -> Bool
    ) -> @Sendable (MediaTime) -> Bool {
        let freshness = Locked(ArrivalFreshness(frameDuration: (plan.rate ?? Fraction(30)).frameDuration))
        return { time in freshness.withLock { $0.isFresh(time) } && isWanted(time) }
    }

    func close() async {
        let old = feed.withLock { feed in
            defer { feed = nil }
            return feed
        }
        await old?.stop()
    }
}
