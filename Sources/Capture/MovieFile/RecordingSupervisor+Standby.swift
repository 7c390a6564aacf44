import Encoding
import Errors
import LiveActivity
import MediaTypes
import Threads

/// A recording that waits for its start, and what it keeps of the past.
extension RecordingSupervisor {
    /// The encoders' time at which the movie begins; where it will, as long as its first packet is on its way.
    var origin: MediaTime { writer.movieBegin ?? expectedBegin.withLock { $0 } }

    /// Where a time of the encoders lies in the movie: at its beginning, as long as there is none.
    func movieTime(of time: MediaTime) -> MediaTime {
        writer.movieBegin.map { max(.zero, time - $0) } ?? .zero
    }

    /// Begins the file with what was kept before a running time.
    ///
    /// - Parameter end: running time at which the recording before ended, where this one follows it.
    func begin(at time: MediaTime, after end: MediaTime?) {
        noteLosses()
        let wanted = preRoll?.length(before: time, after: end) ?? .zero
        onBegin(time)
        let begin = recording.begin(at: time, lasting: limits.maxRecordedDuration.map { MediaTime($0) })
        let (length, rotation) = (writer.prepareToBegin(at: begin, preRoll: wanted), rotation.withLock { $0 })
        expectedBegin.withLock { $0 = writer.expectedBegin(at: begin, preRoll: length) }
        Task {
            do {
                let there = try await parts.begin(at: begin, preRoll: length, rotation)
                handle(.started)
                let before = losses.withLock { $0.losses(before: begin - there) }
                lossesBefore.withLock { $0 = before }
                // A frame's time, as the devices' first one comes a little after they are open.
                let asked = preRoll?.duration ?? .zero
                if there + 50 * .millisecond < asked {
                    events.put(
                        .warning("Only \(there.tenths) of \(asked.tenths) seconds before the start had been kept."))
                }
            } catch {
                handle(.startFailed)
                recording.standBy()
                events.put(.warning("The recording could not be started, and waits: \(error)"))
            }
        }
    }

    /// Remembers what has been lost by now.
    func noteLosses() {
        let counts = recording.counts
        let lost = LossHistory.Losses(dropped: counts.droppedFrames + counts.lostFrames, leftOut: counts.leftOutFrames)
        let time = recording.timeline.movieTime(of: now()) ?? .zero
        losses.withLock { $0.note(lost, at: time, keeping: (preRoll?.kept ?? .zero) + Self.longestGroup) }
    }

    /// A beginning may lie so much before the pre-roll, as cameras that compress by themselves have key frames far apart.
    private static let longestGroup = 10 * MediaTime.second

    /// Writes the last seconds to a file of their own, beside all else.
    func save(_ duration: MediaTime, to destination: MovieDestination?) async throws -> RecordingPart {
        let end = recording.timeline.movieTime(of: now()) ?? .zero
        let part = try await parts.save(
            (end - duration)..<max(end, end - duration), to: destination, origin: writer.movieBegin
        ) {
            [recording] in recording.chapters
        }
        events.put(.saved(part))
        return part
    }

    /// Writes what lies around a running time to a file of its own: what is still to come of it is waited for.
    func save(around time: MediaTime, to destination: MovieDestination) async throws -> RecordingPart {
        let half = 1500 * MediaTime.millisecond
        guard let middle = recording.timeline.movieTime(of: time), middle + half > .zero else {
            throw RushesError(.nothingRecorded, "The recording had not begun when the photo was taken.")
        }
        let part = try await parts.save(
            max(.zero, middle - half)..<middle + half, to: destination, origin: writer.movieBegin
        ) { [recording] in recording.chapters }
        events.put(.saved(part))
        return part
    }

    /// What is told where less is kept than was asked for, as the memory is not enough.
    var shortHistory: (span: MediaTime, wanted: MediaTime, limit: Int)? {
        guard let kept = writer.kept, kept.isCut else { return nil }
        let wanted = max(preRoll?.whole ?? .zero, limits.maxReplayDuration.map { MediaTime($0) } ?? .zero)
        return kept.span < wanted ? (kept.span, wanted, kept.limit) : nil
    }
}
