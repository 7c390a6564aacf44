import Encoding
import FileSystem
import GStreamer
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// What is seen of a recording that runs.
extension RecordingSupervisor {
    /// How often progress is told, and stalls and limits are looked for. Each look wakes half a dozen threads,
    /// which is what a take of a small frame costs beside its encoder.
    private static let interval = Duration.milliseconds(500)

    /// Looks at the recording from time to time, until cancelled.
    func observe() async {
        var (place, card): (FilePath?, Buffer?)
        for disk in [disk] + cameraDisks { disk.refresh() }
        machinePressure.refresh()
        // Which cameras it begins with: another one may follow before the first look.
        handle(.evaluate(seen()))
        // The sequence ends when the task is cancelled.
        for await trigger in triggers {
            if trigger == .time {
                for disk in [disk] + cameraDisks { disk.refresh() }
                machinePressure.refresh()
                if let slept = date.suspensions.look(at: now()) {
                    events.put(
                        .warning(
                            "The machine slept for \(Quantities.span(slept.seconds)); the movie continues without that time."
                        ))
                }
                tell(progress(readingLevel: true))
                if preRoll != nil, writer.movieBegin == nil { noteLosses() }
            }
            recording.settle(now: now())
            // Where nothing else is recorded and nothing comes, the movie may end where that began.
            let isNothingLeft = isNothingLeft
            for (index, microphone) in audio.enumerated() where !isNothingLeft {
                let state = microphone.input.state
                recording.keepAudioGoing(
                    of: index, now: now(), isLost: state.isOver, isInterrupted: state == .stalled)
            }
            if case .moved(let new) = disk.whereabouts, new != place {
                place = new
                events.put(.moved(new))
            }
            handle(.evaluate(seen()))
            await hold(card: &card)
        }
    }

    /// Lets the movie go on while the camera is gone.
    private func hold(card: inout Buffer?) async {
        guard let video, case .lost(let words) = video.state, video.returns || limits.waitsForOtherCamera,
            video.plan.encoding == nil, !limits.endsOnDeviceLoss
        else {
            card = nil
            return
        }
        if card == nil, let format = recording.formatOfFrames {
            recording.interruptVideo()
            card = await LossCard.frame(format, saying: [video.name, words])
            guard card != nil else { return handle(.end(.deviceLost(video.name, words))) }
        }
        if let card { recording.keepVideoGoing(now: now(), with: card) }
    }

    private enum Trigger { case time, fault }

    /// When to look: all the time, and at once where a device reports an error or its end, or a file is no longer where it was.
    private var triggers: AsyncStream<Trigger> {
        let faults = ([video?.states()].compactMap(\.self) + audio.map { $0.input.states() }).map { states in
            AsyncStream.each(of: states) { _ in Trigger.fault }
        }
        let moves = ([disk] + cameraDisks).map { disk in AsyncStream.each(of: disk.changes) { _ in Trigger.fault } }
        return AsyncStream.merging([AsyncStream.clock(.time, every: Self.interval)] + faults + moves)
    }

    /// How long one camera that promises a rate has said nothing, where that is too long; several tell it by their composition.
    private func silence(_ video: any FrameInput) -> MediaTime? {
        guard let camera = video as? VideoFeed, let rate = camera.plan.rate, rate.doubleValue > 0 else { return nil }
        let limit = max(.second, 4 * rate.frameDuration)
        return camera.isSilent(for: limit) ? limit : nil
    }

    func seen() -> RecordingMonitor.Snapshot {
        let counts = recording.counts
        return RecordingMonitor.Snapshot(
            writingFailure: ([writer] + cameras.map(\.writer)).compactMap(\.failureWords).first, fileLoss: fileLoss,
            isFull: sizeLimit?.isReached ?? false,
            bytes: bytesWritten, deletedBytes: parts.deletedBytes.withLock { $0 }, freeBytes: disk.free,
            duration: movieTime(of: counts.duration), encoded: counts.duration, wholeDuration: wholeDuration,
            partBegin: movieTime(of: writer.partBegin),
            partBytes: writer.partBytes,
            droppedFrames: counts.droppedFrames - counts.cameraDroppedFrames,
            lostFrames: composition == nil ? counts.lostFrames : 0,
            waitingFrames: counts.waitingFrames, waitingLimit: counts.waitingLimit, encodedFrames: encodedFrames() ?? 0,
            encoder: writer.encoderSnapshot,
            isEncoded: video?.plan.encoding == nil,
            pressure: pressure(counts),
            waitingAudio: writer.waitingAudio,
            camera: video.map {
                .init(
                    name: $0.name, id: $0.plan.identity, state: $0.state, silence: silence($0),
                    returns: $0.returns || limits.waitsForOtherCamera)
            },
            composed: composed(counts),
            canThinInsets: composition?.canThinInsets ?? false,
            microphones: audio.map {
                // What a sound server has is taken up again.
                .init(name: $0.input.name, state: $0.input.state, returns: $0.input is PulseMicrophone)
            },
            cameraMovies: cameraMovies, time: now(), shortHistory: shortHistory,
            isOverdue: recording.end.map { now() - $0 > grace } ?? false)
    }

    /// Each of several cameras. What one does not deliver because it is gone is no lost frame.
    private func composed(_ counts: RunningRecording.Counts) -> [RecordingMonitor.Device] {
        (composition?.devices ?? []).enumerated().map { index, device in
            if device.state.isOver { recording.interruptCamera(index) }
            let lost = index == 0 ? counts.mainLostFrames : counts.cameraLosses[index]
            return .init(
                name: device.plan.name, id: device.plan.identity, state: device.state, lostFrames: lost,
                lateFrames: index == 0 ? counts.lateFrames : 0)
        }
    }

    private func pressure(_ counts: RunningRecording.Counts) -> PressureMonitor.Snapshot {
        let machine = machinePressure.pressure
        // What others use costs a look at two files.
        let isAsked =
            counts.waitingFrames > RecordingMonitor.fewWaiting
            || machine.waitingForCores ?? 0 >= PressureMonitor.load.little
        return PressureMonitor.Snapshot(
            machine: machine, cores: isAsked ? MachineCores.inUse : nil,
            diskDelay: ([writer] + cameras.map(\.writer)).map(\.diskDelay).max() ?? .zero)
    }

    private var cameraMovies: [CameraMovieMonitor.Snapshot] {
        zip(zip(cameras, cameraDisks), recording.cameraCounts).map { camera, counts in
            let (camera, disk) = camera
            return CameraMovieMonitor.Snapshot(
                name: camera.camera, waitingFrames: camera.writer.waitingFrames, waitingLimit: counts.waitingLimit,
                encoder: camera.writer.encoderSnapshot,
                refusedFrames: counts.refusedFrames, encodedFrames: camera.encodedFrames() ?? 0,
                isHoldingUp: camera.writer.isHoldingUpAudio, fileLoss: loss(of: camera.writer, on: disk, else: nil))
        }
    }

    /// In all files.
    private var bytesWritten: Int64 { cameras.reduce(writer.bytesWritten) { $0 + $1.writer.bytesWritten } }

    private var fileLoss: String? { loss(of: writer, on: disk, else: path) }

    /// What happened to a file that has no name any more; `nil` where it has one, or is complete.
    private func loss(of writer: MovieWriter, on disk: DiskSpace, else path: FilePath?) -> String? {
        let found = disk.whereabouts
        switch found {
        case .here, .moved: return nil
        case .deleted, .replaced, .unmounted: return (writer.path ?? path).map { found.loss(of: $0) }
        }
    }

    /// How long the movie will be with all that lies before its start, where it has a limit and has begun.
    private var wholeDuration: MediaTime? {
        guard writer.movieBegin != nil else { return nil }
        return recording.timeline.maximumDuration.map { movieTime(of: $0) }
    }

    func progress(readingLevel: Bool = false) -> RecordingProgress {
        let counts = recording.counts
        let bytes = bytesWritten
        let (duration, before) = (movieTime(of: counts.duration), lossesBefore.withLock { $0 })
        let hasBegun = writer.movieBegin != nil
        var progress = RecordingProgress()
        progress.duration = duration
        progress.wholeDuration = wholeDuration
        progress.bytes = bytes
        if let video, case .lost(let words) = video.state { progress.interruption = words }
        progress.frames = hasBegun ? max(0, counts.frames - writer.framesBefore) : 0
        progress.droppedFrames =
            counts.droppedFrames + counts.lostFrames - before.dropped + counts.leftOutFrames - before.leftOut
        progress.levels = readingLevel ? recording.readLevels() : []
        // The rate of a take's first seconds says nothing yet.
        if duration > 3 * .second, bytes > 0, let free = disk.free {
            let room = max(0, Double(free - limits.minFreeDiskSpaceLimit))
            progress.remainingTime = .seconds(min(room / (Double(bytes) / duration.seconds), 1e9))
        }
        return progress
    }
}
