import GStreamer
import MovieFiles
import Threads

/// Start, pause, resume and end of a recording, and its chapters.
extension RunningRecording {
    /// The places that were named, in order.
    var chapters: [MovieInfo.Chapter] {
        state.withLock { state in
            // What was named in the pause that it ends in, or between its last frame and the wish to stop, is its last moment.
            let end = state.timeline.end.flatMap { state.timeline.movieTime(of: $0) } ?? .max
            return state.chapters.map { chapter in
                MovieInfo.Chapter(
                    start: max(.zero, min(chapter.start, end - .millisecond)), title: chapter.title)
            }
        }
    }

    /// Names a running time's place in the movie; `nil` if the movie has not begun or ends before it.
    func mark(_ title: String?, at time: MediaTime) -> MovieInfo.Chapter? {
        state.withLock { state in
            guard let place = state.timeline.place(of: time), time < state.timeline.end ?? .max else { return nil }
            let title = title.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
            // Where the first frame is still on its way, its beginning is what is meant.
            let chapter = MovieInfo.Chapter(
                start: max(.zero, place), title: title ?? "Chapter \(state.chapters.count + 1)")
            state.chapters.append(chapter)
            return chapter
        }
    }

    /// Asks for the take to begin. What has come of the audio until now waits for it.
    func request(at time: MediaTime) { state.withLock { $0.timeline.request(at: time) } }

    /// Lets the movie begin with what comes from now on, and what lies before it. Returns the encoders' time.
    ///
    /// - Parameter duration: how long it lasts from there.
    func begin(at time: MediaTime, lasting duration: MediaTime?) -> MediaTime {
        state.withLock { state in
            let begin = state.timeline.movieTime(of: time) ?? .zero
            state.start = .from(begin, lasting: duration)
            return begin
        }
    }

    /// Waits again, as the movie's file could not be begun.
    func standBy() {
        state.withLock { state in
            // A frame may have come since.
            (state.start, state.isStarted) = (.standby, false)
            state.timeline.limit(to: nil)
        }
    }

    /// Pauses with the next frame, or at once without a camera. False if nothing runs that could.
    func pause(at time: MediaTime) -> Bool {
        state.withLock { state in state.timeline.pause(at: max(time, state.audioReached)) }
    }

    /// Goes on after a pause with the next frame, or at once without a camera. False if nothing is paused.
    func resume(at time: MediaTime) -> Bool { state.withLock { $0.timeline.resume(at: time) } }

    /// Ends all tracks at a running time, or where the recording is paused; what lies before it still comes in.
    func end(at time: MediaTime) {
        state.withLock { state in
            let (timeline, least) = (state.timeline, state.audioReached)
            state.timeline.end(at: time) {
                state.frames?.border(nearest: $0, notBefore: least, timeline) ?? max($0, least)
            }
        }
    }

    /// Lets a pause begin that no frame begins.
    func settle(now: MediaTime) {
        state.withLock { state in
            state.timeline.settle(at: now, after: state.frames?.pauseTimeout ?? .second)
            // What waited is behind the pause.
            if state.timeline.isPaused, !state.timeline.isAboutToPause { state.waiting = [] }
        }
    }
}

extension RunningRecording.State {
    /// Running time up to which the movie has audio of any microphone: what comes to an end before it would be of another length in each
    /// track. Audio goes in up to the present, while the time of an end is read before it is known here, and is a frame's.
    fileprivate var audioReached: MediaTime {
        let longest = audio.compactMap { $0?.duration }.max()
        return longest.flatMap { timeline.runningTime(at: $0) } ?? .zero
    }
}
