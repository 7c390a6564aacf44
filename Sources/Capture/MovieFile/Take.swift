import Threads
import Encoding
import GStreamer
import MovieFiles

/// The tracks of a take that runs: what the devices deliver goes through the gates into the writer.
///
/// Pictures and sound come on their devices' threads; the lock is held while a decision is made and handed over, which
/// keeps what is handed over in order, and nothing waits in it.
final class Take: Sendable {
    /// What happened, in numbers.
    struct Counts: Sendable, Equatable {
        /// Seconds of the movie so far, by whichever track is further.
        var duration = 0.0
        var frames = 0
        /// Pictures that came and are not in the movie.
        var droppedFrames = 0
        /// Pictures that did not come when they should have.
        var missingFrames = 0
        /// Pictures that wait for the encoder, and how many may.
        var waitingFrames = 0
        var waitingLimit = 1
    }

    private struct State {
        var clock: TakeClock
        var pictures: PictureGate?
        var pictureCaps: Caps?
        var sound: SoundTrack?
        var counts = Counts()
        var isStarted = false
        var chapters: [MovieInfo.Chapter] = []
    }

    private let state: Locked<State>
    private let writer: MovieWriter
    private let pictureLimit: Int
    private let onStart: @Sendable () -> Void
    private let onChange: @Sendable (Caps) -> Bool
    private let onComplete: @Sendable () -> Void

    /// A microphone that lies further behind than this is silent from then on; when it speaks again, it goes on at its
    /// right place. Less than the five seconds for which the encoded pictures can wait for the sound; more than a sound
    /// server that was held up for two seconds, and hands out what it kept.
    static let patience: Nanoseconds = 3 * .second

    /// - Parameters:
    ///   - pictureLimit: pictures that may wait for the encoder before one is given up.
    ///   - onChange: called where the pictures become others than the ones before, with what they are; false ends their track.
    ///   - onStart: called once, when the first picture or sound has gone to the encoder.
    ///   - onComplete: called once, when every track has reached the take's end.
    init(
        writer: MovieWriter, clock: TakeClock, pictures: PictureGate?, pictureCaps: Caps?, sound: SoundTrack?,
        pictureLimit: Int, onChange: @escaping @Sendable (Caps) -> Bool = { _ in true },
        onStart: @escaping @Sendable () -> Void, onComplete: @escaping @Sendable () -> Void
    ) {
        self.onChange = onChange
        self.writer = writer
        self.pictureLimit = pictureLimit
        self.onStart = onStart
        self.onComplete = onComplete
        state = Locked(State(clock: clock, pictures: pictures, pictureCaps: pictureCaps, sound: sound))
    }

    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            if let pictures = state.pictures { counts.add(pictures) }
            (counts.waitingFrames, counts.waitingLimit) = (writer.waitingPictures, pictureLimit)
            return counts
        }
    }
    /// The running time at which all tracks end, once that is known.
    var end: Nanoseconds? { state.withLock { $0.clock.end } }
    /// The loudness of what was recorded since the last call; `nil` without sound.
    func readLevel() -> SoundLevel? { state.withLock { $0.sound?.readLevel() } }

    /// The places that were named, in order.
    var chapters: [MovieInfo.Chapter] { state.withLock { $0.chapters } }

    /// Names a running time's place in the movie; `nil` if the movie has not begun or ends before it.
    func mark(_ title: String?, at time: Nanoseconds) -> MovieInfo.Chapter? {
        state.withLock { state in
            guard let start = state.clock.start, time < state.clock.end ?? .max else { return nil }
            // Where the first picture is still on its way, its beginning is what is meant.
            let place = max(0, (time - start).seconds)
            let chapter = MovieInfo.Chapter(start: place, title: title ?? "Chapter \(state.chapters.count + 1)")
            state.chapters.append(chapter)
            return chapter
        }
    }

    /// Asks for the take to begin. What has come of the sound until now waits for it.
    func request(at time: Nanoseconds) { state.withLock { $0.clock.request(at: time) } }

    /// Ends all tracks at a running time; what lies before it still comes in.
    func end(at time: Nanoseconds) { state.withLock { $0.clock.end(at: time) } }

    func receive(_ picture: CaptureInput.TimedSample) {
        change { state in
            guard
                let answer = state.pictures?.decide(
                    time: picture.time, duration: picture.buffer.duration, isKeyFrame: picture.buffer.isKeyFrame,
                    clock: &state.clock)
            else { return }
            switch answer {
            case .skip, .lose: break
            case .end: endPictures(&state)
            case .pass(let time, let duration): append(picture, at: time, duration, &state)
            }
        }
    }

    private func append(
        _ picture: CaptureInput.TimedSample, at time: Nanoseconds, _ duration: Nanoseconds, _ state: inout State
    ) {
        if picture.caps != state.pictureCaps {
            state.pictureCaps = picture.caps
            guard onChange(picture.caps) else { return endPictures(&state, isLost: true) }
            writer.setPictureCaps(picture.caps)
        }
        let buffer = picture.buffer.retimed(presentationTime: time, duration: duration)
        switch writer.append(picture: buffer, limit: pictureLimit) {
        case .taken:
            state.isStarted = true
            state.counts.frames += 1
            state.counts.duration = max(state.counts.duration, (time + duration).seconds)
        case .tooMany: state.counts.droppedFrames += 1
        case .closed: break
        }
    }

    func receive(_ chunk: SoundChunk) { changeSound { $0.take(chunk, clock: $1) } }

    /// Keeps the sound going in silence where the microphone lies too far behind: a track that stands still would hold up
    /// the other and the file.
    ///
    /// - Parameters:
    ///   - isLost: nobody waits for a microphone that is known to be gone, so that the file is never far behind.
    ///   - isInterrupted: nor for one that is known to say nothing, but may go on with what is on its way.
    func keepSoundGoing(now: Nanoseconds, isLost: Bool, isInterrupted: Bool = false) {
        changeSound { sound, clock in
            guard let start = clock.start else { return [] }
            if isLost { return sound.fill(to: now, clock: clock) }
            if isInterrupted { return sound.fill(to: now - .second, clock: clock) }
            let isLate = now - start - Nanoseconds(seconds: sound.duration) > Self.patience
            return isLate ? sound.fill(to: now - Self.patience + .second, clock: clock) : []
        }
    }

    /// Ends the track of the pictures where it stands.
    ///
    /// - Parameter isLost: what a camera that is gone did not deliver is told in other words than as a number of frames.
    func endPictures(isLost: Bool = false) { change { endPictures(&$0, isLost: isLost) } }

    /// Ends the track of the sound at the take's end; what has not come until now is silence.
    func endSound() {
        changeSound { sound, clock in clock.end.map { sound.fill(to: $0, clock: clock) } ?? [] }
        change { endSound(&$0) }
    }

    private func changeSound(_ body: (inout SoundTrack, TakeClock) -> [Buffer]) {
        change { state in
            guard var sound = state.sound else { return }
            for buffer in body(&sound, state.clock) where writer.append(sound: buffer) { state.isStarted = true }
            state.sound = sound
            state.counts.duration = max(state.counts.duration, sound.duration)
            if sound.isComplete { endSound(&state) }
        }
    }

    private func endPictures(_ state: inout State, isLost: Bool = false) {
        guard var pictures = state.pictures else { return }
        writer.endPictures()
        pictures.finish(at: isLost ? nil : state.clock.end)
        state.counts.add(pictures)
        state.pictures = nil
    }

    private func endSound(_ state: inout State) {
        if state.sound != nil { writer.endSound() }
        state.sound = nil
    }

    /// Changes the state under the lock, and calls what has to be called outside it.
    private func change(_ body: (inout State) -> Void) {
        let (hasStarted, isComplete) = state.withLock { state in
            let before = (state.isStarted, state.pictures == nil && state.sound == nil)
            body(&state)
            return (
                state.isStarted && !before.0, state.pictures == nil && state.sound == nil && !before.1
            )
        }
        if hasStarted { onStart() }
        if isComplete { onComplete() }
    }
}

extension Take.Counts {
    fileprivate mutating func add(_ pictures: PictureGate) {
        droppedFrames += pictures.lost
        missingFrames += pictures.missing
    }
}
