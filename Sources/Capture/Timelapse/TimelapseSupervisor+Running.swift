import Encoding
import Errors
import Foundation
import GStreamer
import LiveActivity
import MediaTypes
import Threads

/// A timelapse while it runs: what each look brings, and how far it is.
extension TimelapseSupervisor {
    /// From one look to the next, near a shot and between shots that are far apart: each wakes some threads.
    private static let looks = (near: Duration.milliseconds(500), far: Duration.seconds(2))
    /// Where nothing has changed, progress is told after so long.
    private static let quiet = 4 * MediaTime.second

    /// Runs until the files are complete.
    func run() async -> RecordingResult {
        if let movie = track.movie {
            events.put(
                .started(movie.writer.path ?? movie.destination.path, summary: summary, shotsBefore: movie.before))
        }
        files.completeOpen(events)
        var pause = Self.looks.near
        while await !ending.wait(within: pause) {
            await observe()
            pause = untilNext > 10 * .second ? Self.looks.far : Self.looks.near
        }
        track.hold(true)
        // Shots that wait for another file are kept too.
        if track.wait != nil || track.movie?.writer.failure != nil { await updateFiles() }
        tellGap()
        events.put(.finishing)
        await releaseExposure()
        await camera.close()
        let reason = state.withLock { $0.reason } ?? .stopped
        var last = progress
        let movie = track.change(to: nil)
        last.missed = track.schedule.missed
        var result = await files.finish(movie, reason)
        last.lose(last.shots - result.progress.frames)
        result.progress.droppedFrames = last.missed
        await files.write(movie?.images, events)
        tellCut()
        await look.close()
        events.put(.finished(result, last))
        events.finish()
        return result
    }

    private func observe() async {
        let now = clock()
        if let jump = track.clockJump() { events.put(.warning(Self.words(jump))) }
        let schedule = track.schedule
        state.withLock { $0.looks += 1 }
        await tend(at: now, schedule)
        tellGap()
        await lockExposure()
        await rampExposure()
        await updateFiles()
        tellCut()
        let progress = progress
        let isNew = state.withLock { state in
            guard state.told?.progress != progress || state.told.map({ now.running - $0.time > Self.quiet }) ?? true
            else {
                return false
            }
            state.told = (progress, now.running)
            return true
        }
        if isNew { events.put(.progress(progress)) }
        if track.schedule.isOver { return end(.maximumDurationReached) }
        if let most = maximumShots, progress.shots >= most { return end(.maximumDurationReached) }
    }

    private func tellCut() {
        if let note = look.takeCutNote() { events.put(.warning(note)) }
    }

    /// To the next shot; where none is known, long.
    private var untilNext: MediaTime {
        let now = clock().wall
        return track.schedule.next(after: now).map { $0 - now } ?? .longest
    }

    var progress: TimelapseProgress {
        let (schedule, now) = (track.schedule, clock())
        var progress = TimelapseProgress()
        progress.dark = track.dark
        (progress.due, progress.missed) = (schedule.taken + schedule.missed, schedule.missed)
        let (isPaused, loss) = state.withLock { ($0.isPaused, $0.loss) }
        (progress.isPaused, progress.cameraLoss) = (isPaused, loss)
        if !isPaused { progress.next = schedule.next(after: now.wall).map { Date(wall: $0) } }
        let movie = track.movie
        progress.shots = movie?.count ?? files.shots
        progress.before = files.shotsBefore
        progress.total = total(progress, schedule)
        progress.duration = MediaTime(samples: progress.shots, of: settings.rate)
        progress.bytes = files.bytes + (movie?.writer.bytesWritten ?? 0)
        return progress
    }

    /// All that will be due in this run.
    private func total(_ progress: TimelapseProgress, _ schedule: ShotSchedule) -> Int? {
        guard settings.hours == nil else { return nil }
        // What was missed counts for the duration, but not for the length.
        let byLength = maximumShots.map { progress.due + max(0, $0 - progress.shots) }
        let byDuration = settings.slotCount.map { max(0, $0 - schedule.first) }
        return [byLength, byDuration].compactMap(\.self).min()
    }
}
