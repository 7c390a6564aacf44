import Errors
import GStreamer
import Logging
import Threads
import Workarounds

/// Another camera, or another mode of the same one, for those who take a feed's frames.
extension VideoFeed {
    /// Whether frames of such a camera can follow this one's: compressed ones are copied as they come, and one stream is not another.
    func canSwitch(to other: VideoSourcePlan) -> Bool {
        plan.encoding == nil && other.encoding == nil
    }

    /// Opens another camera, continues with its first frame, then closes the previous one. The new frames are rotated to match the
    /// previous camera's. A device has one mode at a time: for another mode of the same device it is closed first, and no frames come
    /// meanwhile.
    ///
    /// The caller sees to it that nothing else opens or closes the feed meanwhile.
    ///
    /// - Throws: ``RushesError`` if the other camera cannot be opened or gives no frame; the previous one then continues, reopened
    ///   where it was closed.
    func switchCamera(to asked: VideoSourcePlan) async throws {
        await stopReopening()
        let (old, before) = life.withLock { ($0.plan, $0.input) }
        let plan = asked.rotated(like: old.orientation)
        let isSameDevice = old.device != nil && old.device == plan.device
        if isSameDevice {
            life.withLock { $0.isChanging = true }
            before.end(as: .lost("another mode of it was asked for"))
            await before.stop()
        }
        do { try await takeOver(plan, asked) } catch {
            if isSameDevice {
                // Where the old mode does not open either, whoever keeps the camera up tries on. It is opened also where the task was
                // cancelled.
                let isBack = await Task { (try? await takeOver(old, life.withLock { $0.asked })) != nil }.value
                if !isBack {
                    life.withLock { $0.isChanging = false }
                    _ = lose("it does not open again")
                }
            }
            reopenAutomatically(old)
            throw error
        }
        if isSameDevice {
            await controls.setAgain(at: plan.controlPath)
        } else {
            await controls.follow(plan.name, at: plan.controlPath)
            let isClosed = await before.close()
            // One that was unplugged is forgotten by its driver when nobody has it open any more.
            if isClosed, let path = old.path { LeftDescriptors.release(path) }
        }
        reopenAutomatically(plan)
        log.debug("camera switched", metadata: ["from": "\(old.name)", "to": "\(plan.name)"])
    }

    private func reopenAutomatically(_ plan: VideoSourcePlan) {
        if let device = ReturningDevice(plan) { reopenAutomatically(with: device) }
    }

    /// Opens a camera and waits until its frames have followed those of the present one.
    private func takeOver(_ plan: VideoSourcePlan, _ asked: VideoSourcePlan) async throws {
        let limit = max(.seconds(5), Duration(Self.timeout(plan)))
        do {
            let input = try Self.input(plan, isComposable, baseTime, thinning: thinning)
            let hasFollowed = AsyncSignal()
            let number = attach(input) { [weak self, weak input] in
                guard let self, let input else { return }
                life.withLock { life in
                    (life.plan, life.asked, life.input, life.path) = (plan, asked, input, plan.path)
                    (life.loss, life.failure, life.isChanging) = (nil, nil, false)
                }
                hasFollowed.fire()
            }
            handover.withLock { $0.prepare(number) }
            do {
                try await input.start(within: limit)
                guard await hasFollowed.wait(within: limit) || !handover.withLock({ $0.abandon(number) })
                else {
                    throw input.failure
                        ?? RushesError(
                            .deviceSilent, on: plan.name,
                            "\(plan.name) has not delivered a frame for \(limit.components.seconds) seconds; is it in use, covered or unplugged?"
                        )
                }
            } catch {
                _ = handover.withLock { $0.abandon(number) }
                await input.stop()
                throw error
            }
            watch(input)
            tell()
        } catch let error as GStreamerError {
            throw RushesError(starting: plan, error)
                ?? RushesError(opening: plan.name, isLaunchLine: plan.isLaunchLine, error)
        }
    }
}
