import Foundation
import GStreamer
import LiveActivity
import MediaTypes
import Threads

/// The camera: opened again where it was lost, and closed between shots where that is wanted.
extension TimelapseSupervisor {
    func tend(at now: ClockReading, _ schedule: ShotSchedule) async {
        let untilNext = schedule.next(after: now.wall).map { $0 - now.wall }
        let action = state.withLock { state in
            state.keeper.evaluate(at: now.running, state: camera.state, untilNext: state.isPaused ? nil : untilNext)
        }
        switch action {
        case .open: Task { await open() }
        case .close: await camera.close()
        case .lose(let words):
            track.beginGap()
            let name = state.withLock { state in
                state.loss = words
                return state.cameraName
            }
            events.put(
                .warning(
                    "\(name) is lost (\(words)); it is opened again as soon as it responds, and the schedule is kept."))
            Task { await camera.close() }
        case nil: break
        }
    }

    private func open() async {
        let begin = clock().running
        do {
            let (_, plan) = try await camera.open()
            let now = clock()
            let wasLost = state.withLock { state in
                (state.cameraName, state.cameraPath) = (plan.name, plan.path)
                defer { state.loss = nil }
                return state.keeper.opened(at: now.running, after: now.running - begin) && state.loss != nil
            }
            guard !ending.isFired else { return await camera.close() }
            if let path = plan.path { await onDevice { $0.setAgain(path) } }
            track.ready(at: now.running + TimelapseCamera.settling)
            if wasLost { events.put(.warning("\(plan.name) is back; the next shots are on schedule.")) }
        } catch {
            let now = clock().running
            let name = state.withLock { state -> String? in
                guard state.keeper.failed(at: now) else { return nil }
                state.loss = "\(error)"
                return state.cameraName
            }
            if let name {
                track.beginGap()
                events.put(
                    .warning(
                        "\(name) could not be opened again (\(error)); it will be tried again, and the schedule is kept."
                    ))
            }
        }
    }

    /// Tells what a lost camera has missed. Not before its first shot: until it has settled more are missed.
    func tellGap() {
        guard let gap = track.takeGap(), gap > 0 else { return }
        let name = state.withLock { $0.cameraName }
        events.put(.warning("\(gap) \(gap == 1 ? "shot is" : "shots are") missing from when \(name) was lost."))
    }

    // MARK: Exposure

    /// How long a driver may take for its controls.
    private static let controlTimeout = Duration.seconds(5)

    private func onDevice<Value: Sendable>(_ body: @escaping @Sendable (ExposureLock) -> Value) async -> Value? {
        await onOwnThread("rushes-controls", orAfter: Self.controlTimeout, otherwise: nil) { [exposure] in
            body(exposure)
        }
    }

    /// Once the first shot has been taken.
    func lockExposure() async {
        guard settings.exposure != .automatic, !exposure.isLocked, let shot = track.shot else { return }
        let isRamped = settings.exposure == .ramped
        let (name, path) = state.withLock { ($0.cameraName, $0.cameraPath) }
        let held = await onDevice { $0.lock(path ?? "", holdsPlainGain: isRamped) } ?? []
        let words = held.joined(separator: ", ")
        events.put(
            .warning(
                held.isEmpty
                    ? "\(name) has no control to lock its exposure with; the camera keeps choosing it."
                    : "\(name) keeps its \(words) from now on."))
        let followers = ["exposure", "gain"].filter(held.contains)
        guard isRamped, !followers.isEmpty, let luma = Self.luma(shot) else { return }
        let shots = track.schedule.taken
        state.withLock { $0.ramp = (ExposureRamp(luma: luma, gain: exposure.gain), shots) }
        events.put(
            .warning(
                "The \(followers.joined(separator: ", then the ")) of \(name) follows the light, by at most a sixth of a stop from one shot to the next."
            ))
    }

    /// Once for each shot.
    func rampExposure() async {
        let shots = track.schedule.taken
        let (ramp, path) = state.withLock { state in
            defer { state.ramp?.shots = shots }
            return (state.ramp.flatMap { $0.shots < shots ? $0.curve : nil }, state.cameraPath)
        }
        guard let ramp, let path, let luma = track.shot.flatMap({ Self.luma($0) }) else { return }
        _ = await onDevice { $0.change(path) { ramp.next(time: $0, gain: $1, luma: luma) } }
    }

    private static func luma(_ shot: Sample) -> Double? {
        guard let frame = shot.buffer, let caps = shot.caps else { return nil }
        return MeanLuma.percent(of: frame, caps)
    }

    func releaseExposure() async {
        guard exposure.isLocked, let path = state.withLock({ $0.cameraPath }) else { return }
        _ = await onDevice { $0.release(path) }
    }

    /// From opening the camera to a shot, where it stands by: a second for opening it, its exposure, a second for a look, one more.
    static let warmUp = TimelapseCamera.settling + 3 * MediaTime.second

    static func words(_ jump: MediaTime) -> String {
        let seconds = Int(jump.length.seconds.rounded())
        return jump > .zero
            ? "The clock went ahead by \(seconds) s, or the machine slept; shots continue by the new time."
            : "The clock was set back by \(seconds) s; shots continue by the new time."
    }
}
