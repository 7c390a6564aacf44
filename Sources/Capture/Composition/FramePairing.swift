import MediaTypes

/// Which frames of several cameras belong together: each of the main camera's with the newest of every other that is not later.
///
/// Cameras deliver at their own rates and with their own delays, so a main frame waits until the others are past its time; not
/// for one that says nothing, and never longer than ``timeout``. A main camera that says nothing hands its place to the
/// next one, and takes it back with its next frame. Pure: all times come with the frames.
struct FramePairing<Frame> {
    /// Frames that are shown together.
    struct Output {
        /// Running time.
        let time: MediaTime
        /// The camera whose frame it is; the others' are as new as can be.
        let driver: Int
        /// The main camera's own count of its frame; `nil` for one of another that stands in for it, which has a count of its own.
        let number: FrameNumber?
        /// Of each camera; `nil` where none has come yet, or long ago from a main camera that gave its place away.
        var frames: [Frame?]
        /// For how long each camera has said nothing, if it is silent.
        let silence: [MediaTime?]
    }

    private struct Timed {
        let frame: Frame
        let time: MediaTime
        let number: FrameNumber?
    }

    /// Main frames that wait, and when they came.
    private var waiting: [(frame: Timed, arrival: MediaTime)] = []
    /// Of the other cameras, oldest first, from the last one that was shown on.
    private var recent: [[Timed]]
    /// When each camera last delivered.
    private var arrivals: [MediaTime?]
    private var lastTime: MediaTime?
    /// When the main camera's last frame was taken, shown or late.
    private var mainTime: MediaTime?
    /// When the main frames were taken that the last call would have shown, had others not been shown in their place.
    private(set) var late: [MediaTime] = []
    /// When it was noticed that the main camera says nothing.
    private var noticed: MediaTime?
    /// How long each camera may say nothing before it is waited for no more.
    private let stalls: [MediaTime]

    /// The longest that a main frame waits for others: a decoder's delay, and a machine that is busy for a moment.
    static var timeout: MediaTime { 250 * .millisecond }
    /// A camera that has delivered nothing for so long is waited for no more; or for three frames, where that is longer.
    static var stall: MediaTime { 500 * .millisecond }
    /// The main camera's silence counts only if it goes on for so long after it was noticed: where this process or the machine
    /// itself stood still, its frames are on their way.
    static var confirmation: MediaTime { 400 * .millisecond }
    /// How old frames get that are not shown: older than what another camera stands in for.
    private static var memory: MediaTime { 2 * .second }

    /// - Parameter frameDurations: of each camera, as it promises; the first is the main one.
    init(frameDurations: [MediaTime]) {
        recent = frameDurations.map { _ in [] }
        arrivals = frameDurations.map { _ in nil }
        stalls = frameDurations.map { max(Self.stall, 3 * $0) }
    }

    /// - Parameters:
    ///   - number: the camera's own count of the frame, where it counts.
    ///   - time: when the frame was taken, as running time.
    ///   - now: when it came, as running time.
    /// - Returns: what is to be shown, in order.
    mutating func receive(
        _ frame: Frame, number: FrameNumber? = nil, time: MediaTime, from camera: Int, now: MediaTime
    ) -> [Output] {
        arrivals[camera] = now
        late = []
        let frame = Timed(frame: frame, time: time, number: number)
        if camera == 0 {
            waiting.append((frame, now))
            noticed = nil
        } else {
            recent[camera].append(frame)
            // Where nothing is shown, nothing is taken away either.
            if recent[camera].count > 1, time - recent[camera][1].time > Self.memory { recent[camera].removeFirst() }
        }
        var outputs: [Output] = []
        while let first = waiting.first, isReady(first.frame.time, since: first.arrival, now) {
            waiting.removeFirst()
            outputs += output(first.frame, of: 0, now)
        }
        if camera == deputy(now) {
            // With what came while it was not known yet that the main camera is silent.
            let begin = lastTime ?? .min
            for missed in recent[camera] where missed.time > begin { outputs += output(missed, of: camera, now) }
        }
        return outputs
    }

    private func isReady(_ time: MediaTime, since arrival: MediaTime, _ now: MediaTime) -> Bool {
        now - arrival >= Self.timeout
            || recent.indices.dropFirst().allSatisfy { camera in
                isSilent(camera, now) || recent[camera].last.map { $0.time >= time } ?? false
            }
    }

    private func isSilent(_ camera: Int, _ now: MediaTime) -> Bool {
        arrivals[camera].map { now - $0 > stalls[camera] } ?? false
    }

    /// Who stands in for a main camera that says nothing: the first of the others that delivers.
    private mutating func deputy(_ now: MediaTime) -> Int? {
        guard waiting.isEmpty, isSilent(0, now) else { return nil }
        let since = noticed ?? now
        noticed = since
        guard now - since >= Self.confirmation else { return nil }
        return recent.indices.dropFirst().first { arrivals[$0] != nil && !isSilent($0, now) }
    }

    private mutating func output(_ driving: Timed, of driver: Int, _ now: MediaTime) -> [Output] {
        // One that comes after others were shown in its place is late; unless its clock was set back.
        let goesOn = driver == 0 && mainTime.map { driving.time > $0 } ?? true
        if driver == 0 { mainTime = driving.time }
        if let lastTime, driving.time <= lastTime, goesOn || lastTime - driving.time < .second {
            late.append(driving.time)
            return []
        }
        lastTime = driving.time
        let frames = recent.indices.map { camera -> Frame? in
            if camera == driver { return driving.frame }
            if camera == 0 { return nil }
            // Of frames that are all later, as in the beginning, the first.
            if let newest = recent[camera].lastIndex(where: { $0.time <= driving.time }) {
                recent[camera].removeFirst(newest)
            }
            return recent[camera].first?.frame
        }
        if driver > 0 { recent[driver].removeAll { $0.time < driving.time } }
        let silence = arrivals.indices.map { camera in
            isSilent(camera, now) ? arrivals[camera].map { now - $0 } : nil
        }
        let number = driver == 0 ? driving.number : nil
        return [Output(time: driving.time, driver: driver, number: number, frames: frames, silence: silence)]
    }
}
