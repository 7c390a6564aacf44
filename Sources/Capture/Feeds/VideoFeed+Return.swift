import GStreamer
import Logging
import Threads
import Workarounds

/// Reopening the same device after a loss.
extension VideoFeed {
    /// From now on reopens the camera automatically, in the same mode, whenever it was lost and is found again; until it is stopped.
    ///
    /// - Parameter device: what looks for it.
    func reopenAutomatically(with device: ReturningDevice) {
        let task = Task { [weak self] in
            while !Task.isCancelled {
                guard let input = self?.input else { return }
                // It is lost already where another camera was to follow and did not.
                if self?.isLost != true {
                    guard let words = await device.loss(of: input), self?.lose(words) == true else { return }
                }
                guard device.mayReturn(input) else { return }
                // A driver forgets a device that is unplugged when nobody has it open any more.
                let isClosed = await input.close()
                if isClosed, let path = self?.life.withLock({ $0.path }) { LeftDescriptors.release(path) }
                while !Task.isCancelled, let found = await device.found() {
                    if await self?.reopen(found, watchedBy: device) ?? true { break }
                }
            }
        }
        returning.withLock { $0 = (device, task) }
    }

    /// No longer takes it up again, from the end of this call on.
    func stopReopening() async {
        let task = returning.withLock { returning in
            defer { returning = nil }
            return returning?.task
        }
        task?.cancel()
        await task?.value
    }

    private var isLost: Bool { life.withLock { $0.closed == nil && $0.loss != nil } }

    /// Delivers nothing from now on. False if it is closed.
    func lose(_ words: String) -> Bool {
        let isOpen = life.withLock { life in
            (life.loss, life.failure) = (words, life.input.failure)
            return life.closed == nil
        }
        tell()
        return isOpen
    }

    /// - Returns: whether its frames come again, or it is closed.
    private func reopen(_ plan: VideoSourcePlan, watchedBy device: ReturningDevice) async -> Bool {
        guard let input = try? Self.input(plan, isComposable, baseTime, thinning: thinning) else { return false }
        let isOpen = life.withLock { life in
            guard life.closed == nil else { return false }
            (life.input, life.path) = (input, plan.path)
            return true
        }
        guard isOpen else { return true }
        let number = attach(input)
        handover.withLock { $0.replace(with: number) }
        let (hasAnswered, hasFrames) = (AsyncSignal(), Locked(false))
        let key = input.listen { (_: CaptureInput.TimedSample) in
            hasFrames.withLock { $0 = true }
            hasAnswered.fire()
        }
        defer { input.unlisten(key) }
        let limit = max(.seconds(5), Duration(Self.timeout(plan)))
        do { try await input.start(within: limit) } catch {
            log.debug("a camera does not open again", metadata: ["device": "\(plan.name)", "error": "\(error)"])
            return false
        }
        // A camera that is lost again before its first frame is not waited for: it may return before the timeout.
        let loss = Task { if await device.loss(of: input) != nil { hasAnswered.fire() } }
        defer { loss.cancel() }
        guard await hasAnswered.wait(within: limit), hasFrames.withLock({ $0 }) else {
            await input.stop()
            return false
        }
        life.withLock { ($0.loss, $0.failure) = (nil, nil) }
        watch(input)
        tell()
        await controls.setAgain(at: plan.controlPath)
        return true
    }

    /// Whether it is taken up again where it comes back.
    var returns: Bool {
        guard life.withLock({ $0.closed == nil }) else { return false }
        return returning.withLock { $0 }?.device.mayReturn(input) ?? false
    }
}
