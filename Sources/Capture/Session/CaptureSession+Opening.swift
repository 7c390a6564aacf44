import Errors
import GStreamer

extension CaptureSession {
    /// A device that is to run.
    struct Wanted<Plan: Sendable, Feed: Sendable>: Sendable {
        let plan: Plan
        /// Its feed, or that of the one whose place it takes; `nil` where it is to be opened.
        var open: Feed?
        var isSwitch = false
    }

    /// What came of opening one.
    struct Opened<Feed: Sendable>: Sendable {
        /// After an error too where one runs as before.
        var feed: Feed?
        var error: (any Error)?
    }

    /// The feed of each, in order, opened all at once.
    static func opened<Plan: Sendable, Feed: Sendable>(
        _ wanted: [Wanted<Plan, Feed>], _ open: @escaping @Sendable (Wanted<Plan, Feed>) async throws -> Feed
    ) async -> [Opened<Feed>] {
        await withTaskGroup(of: (Int, Opened<Feed>).self) { group in
            for (index, entry) in wanted.enumerated() {
                group.addTask {
                    do { return (index, Opened(feed: try await open(entry))) } catch {
                        return (index, Opened(feed: entry.open, error: error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    static func feed(
        _ plan: VideoSourcePlan, isComposable: Bool, _ baseTime: MediaTime
    ) async throws -> VideoFeed {
        do {
            let feed = try VideoFeed(plan, baseTime: baseTime, isComposable: isComposable)
            try await feed.start()
            if let device = ReturningDevice(plan) { feed.reopenAutomatically(with: device) }
            return feed
        } catch let error as GStreamerError {
            throw RushesError(starting: plan, error)
                ?? RushesError(opening: plan.name, isLaunchLine: plan.isLaunchLine, error)
        }
    }

    static func feed(
        _ plan: AudioSourcePlan, _ baseTime: MediaTime
    ) async throws -> AudioFeed {
        try await named(plan.name, isLaunchLine: plan.isLaunchLine) {
            let feed = try AudioFeed(plan, baseTime: baseTime)
            // Before the first sample, so that nothing of a muted microphone is ever heard.
            feed.setGain(of: plan)
            try await feed.input.start()
            return feed
        }
    }

    /// Says in the error which device it was.
    private static func named<Feed>(
        _ name: String, isLaunchLine: Bool, _ make: () async throws -> Feed
    ) async throws -> Feed {
        do { return try await make() } catch let error as GStreamerError {
            throw RushesError(opening: name, isLaunchLine: isLaunchLine, error)
        }
    }
}
