import Errors
import GStreamer

extension CaptureSession {
    /// The feed of each plan, in order: the one that is open, or one that is started now; all at once.
    static func opened<Plan: Sendable, Feed: Sendable>(
        _ wanted: [(plan: Plan, open: Feed?)], _ open: @escaping @Sendable (Plan) async throws -> Feed
    ) async -> [Result<Feed, any Error>] {
        await withTaskGroup(of: (Int, Result<Feed, any Error>).self) { group in
            for (index, entry) in wanted.enumerated() {
                group.addTask {
                    if let feed = entry.open { return (index, .success(feed)) }
                    do { return (index, .success(try await open(entry.plan))) } catch {
                        return (index, .failure(error))
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
            if let device = ReturningDevice(plan) { feed.keepUp(with: device) }
            return feed
        } catch let error as GStreamerError {
            throw RushesError(starting: plan, error)
                ?? RushesError(opening: plan.name, isLaunchLine: plan.isLaunchLine, error)
        }
    }

    static func feed(
        _ plan: AudioSourcePlan, _ wanted: Configuration, _ baseTime: MediaTime
    ) async throws -> AudioFeed {
        try await named(plan.name, isLaunchLine: plan.isLaunchLine) {
            let feed = try AudioFeed(plan, baseTime: baseTime)
            // Before the first sample, so that nothing of a muted microphone is ever heard.
            feed.set(gain: wanted.microphoneGain, isMuted: wanted.isMicrophoneMuted)
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
