import Encoding
import Foundation
import GStreamer
import Synchronization

/// The tracks of a take that runs: what the devices deliver goes through the gates into the writer.
///
/// Pictures and sound come on their devices' threads; the lock is held for the decisions only, and nothing waits in it.
final class Take: Sendable {
    /// What happened, in numbers.
    struct Counts: Sendable, Equatable {
        /// Seconds of the movie so far, by whichever track is further.
        var duration = 0.0
        var frames = 0
        var droppedFrames = 0
    }

    private struct State {
        var clock: TakeClock
        var pictures: PictureGate?
        var sound: SoundGate?
        /// Sound from before the first picture came, at most ``Take/heldChunks``.
        var held: [SoundChunk] = []
        var counts = Counts()
        var pictureCaps: Caps?
        var maximumDuration: Nanoseconds?
    }

    private let state: Mutex<State>
    private let writer: MovieWriter
    private let pictureLimit: Int
    private let onStart: @Sendable () -> Void
    private let onComplete: @Sendable () -> Void

    /// Some seconds of 10 ms chunks: a camera that takes longer for its first picture than that loses sound, not memory.
    private static let heldChunks = 1000

    /// - Parameters:
    ///   - pictureLimit: pictures that may wait for the encoder before one is given up.
    ///   - onStart: called when the first picture or sound has gone to the encoder.
    ///   - onComplete: called when every track has reached the take's end.
    init(
        writer: MovieWriter, clock: TakeClock, pictures: PictureGate?, pictureCaps: Caps?, sound: SoundGate?,
        pictureLimit: Int, maximumDuration: Nanoseconds?, onStart: @escaping @Sendable () -> Void,
        onComplete: @escaping @Sendable () -> Void
    ) {
        self.writer = writer
        self.pictureLimit = pictureLimit
        self.onStart = onStart
        self.onComplete = onComplete
        state = Mutex(
            State(
                clock: clock, pictures: pictures, sound: sound, pictureCaps: pictureCaps,
                maximumDuration: maximumDuration))
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Ends all tracks at a running time; what lies before it still comes in.
    func end(at time: Nanoseconds) {
        state.withLock { $0.clock.end(at: time) }
    }

    /// Ends a track whose device delivers no more.
    func endPictures() {
        let wasOpen = state.withLock { state in
            defer { state.pictures = nil }
            return state.pictures != nil
        }
        guard wasOpen else { return }
        writer.endPictures()
        reportIfComplete()
    }

    func endSound() {
        let wasOpen = state.withLock { state in
            defer { (state.sound, state.held) = (nil, []) }
            return state.sound != nil
        }
        guard wasOpen else { return }
        writer.endSound()
        reportIfComplete()
    }

    func receive(_ picture: CaptureInput.TimedSample) {
        let (ended, started) = state.withLock { state -> (Bool, Bool) in
            guard var gate = state.pictures else { return (false, false) }
            let isFirst = state.clock.start == nil
            let answer = gate.decide(time: picture.time, isKeyFrame: picture.buffer.isKeyFrame, clock: &state.clock)
            state.pictures = gate
            switch answer {
            case .drop: return (false, false)
            case .end: return (true, false)
            case .pass(let time):
                if isFirst { limitDuration(&state) }
                if picture.caps != state.pictureCaps {
                    state.pictureCaps = picture.caps
                    writer.setPictureCaps(picture.caps)
                }
                let duration = picture.buffer.duration ?? gate.frameDuration
                let buffer = picture.buffer.retimed(presentationTime: time, duration: duration)
                switch writer.append(picture: buffer, limit: pictureLimit) {
                case .taken:
                    state.counts.frames += 1
                    state.counts.duration = max(state.counts.duration, (time + duration).seconds)
                case .tooMany: state.counts.droppedFrames += 1
                case .closed: break
                }
                return (false, isFirst)
            }
        }
        if started { onStart() }
        if ended { endPictures() }
    }

    func receive(_ chunk: SoundChunk) {
        let (ended, started) = state.withLock { state -> (Bool, Bool) in
            guard state.sound != nil else { return (false, false) }
            state.held.append(chunk)
            if state.clock.start == nil {
                if state.held.count > Self.heldChunks { state.held.removeFirst() }
                return (false, false)
            }
            let isFirst = state.pictures == nil && state.counts.duration == 0
            if isFirst { limitDuration(&state) }
            let chunks = state.held
            state.held = []
            return (chunks.contains { write($0, &state) }, isFirst)
        }
        if started { onStart() }
        if ended { endSound() }
    }

    /// Writes the part of a chunk that belongs to the take; true if the track is complete with it.
    private func write(_ chunk: SoundChunk, _ state: inout State) -> Bool {
        guard var gate = state.sound else { return false }
        let position = gate.written
        let answer = gate.decide(chunk, clock: state.clock)
        state.sound = gate
        switch answer {
        case .hold, .drop: return false
        case .pass(let silence, let part):
            push(silence: silence, part, at: position, chunk)
            state.counts.duration = max(state.counts.duration, Double(gate.written) / Double(chunk.rate))
            return false
        case .end(let silence, let part):
            push(silence: silence, part, at: position, chunk)
            return true
        }
    }

    private func push(silence: Int, _ part: SoundChunk?, at position: Int, _ like: SoundChunk) {
        let samples = [Float](repeating: 0, count: silence * like.channels) + (part?.samples ?? [])
        guard !samples.isEmpty else { return }
        func time(_ position: Int) -> Nanoseconds {
            // Whole seconds apart, so that a long take does not overflow.
            Nanoseconds(position / like.rate) * .second + Nanoseconds(position % like.rate) * .second / Nanoseconds(like.rate)
        }
        let end = position + samples.count / like.channels
        let buffer = samples.withUnsafeBytes {
            Buffer(copying: $0, presentationTime: time(position), duration: time(end) - time(position))
        }
        _ = writer.append(sound: buffer)
    }

    /// A limit of the duration is an end that is known as soon as the beginning is.
    private func limitDuration(_ state: inout State) {
        if let maximum = state.maximumDuration, let start = state.clock.start { state.clock.end(at: start + maximum) }
    }

    private func reportIfComplete() {
        if state.withLock({ $0.pictures == nil && $0.sound == nil }) { onComplete() }
    }
}
