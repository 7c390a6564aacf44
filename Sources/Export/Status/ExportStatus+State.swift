import GStreamer

extension ExportStatus {
    /// How far the export as a whole is.
    enum Phase: Sendable { case pending, opening, exporting, ended }

    /// How an export stands: events in, nothing but values out.
    struct State: Sendable {
        private(set) var phase = Phase.pending
        private(set) var isPaused = false
        private(set) var isStopped = false
        /// Changes whenever something moves.
        private(set) var progressCounter = 0
        /// How much of the progress earlier work has made, from 0 to 1.
        private var reserved = 0.0
        /// Which of several files is made; nil where it is one.
        private(set) var part: Part?
        /// The latest run over the input.
        private(set) var run = Run()
    }

    /// What one run over the input has done so far.
    struct Run: Sendable {
        var progress = ExportProgress()
        /// Which part of the progress it is.
        fileprivate(set) var share = 0.0..<1
        /// It has failed.
        fileprivate(set) var isAborted = false
        /// When each frame that the encoder holds is shown, in the order in which they went in.
        fileprivate(set) var encoding: [MediaTime] = []
        /// What came out of the frames' encoder, in bytes.
        fileprivate(set) var encodedBytes: Int64 = 0
        /// The last sample is with the writer, and frames may still be in their encoder.
        fileprivate(set) var isFlushing = false
        /// The movie's frames, once all of them are with the writer.
        fileprivate(set) var frames: Int?
        /// Where the longest of the tracks ends in the movie that have ended.
        fileprivate(set) var end: MediaTime = .zero
        /// The same of the frames as they were before filters.
        fileprivate(set) var decodedFrames: Int?
        /// The same as it was before filters.
        fileprivate(set) var decodedEnd: MediaTime = .zero
        /// Where each track of decoded audio ends before filters, by its place among the audio tracks.
        fileprivate(set) var audioEnds: [Int: MediaTime] = [:]
        /// The audio tracks that have nothing in the movie, by the same places.
        fileprivate(set) var emptyAudio: Set<Int> = []
        /// What of decoded audio tracks is silence where the input has gaps, by their places.
        fileprivate(set) var silences: [Int: FilledSilence] = [:]
        /// What of decoded audio tracks was left out where the input has audio twice for one time, by their places.
        fileprivate(set) var overlaps: [Int: OverlappingAudio] = [:]
        /// How loud audio tracks are at most that become whole numbers, by their places; 1 is full scale.
        fileprivate(set) var peaks: [Int: Double] = [:]
        /// The first frame's size and the largest one's, where frames are larger than the first one.
        fileprivate(set) var resized: ResizedFrames?
        /// When the last frame begins.
        fileprivate(set) var lastFrame: MediaTime?
        /// When the frame begins that is shown first, where they are copied.
        fileprivate(set) var firstFrame: MediaTime?
        /// How many copied frames are shown behind the part's end, as those before it need them.
        fileprivate(set) var lateFrames = 0
        /// How long the frame is shown that is shown longest.
        fileprivate(set) var longestFrame: MediaTime = .zero
        /// Which tracks wait for the writer just now, by their name.
        fileprivate(set) var submitting: Set<String> = []
    }
}

extension ExportStatus.State {
    mutating func take(_ event: ExportStatus.Event) {
        switch event {
        case .opened: phase = .opening
        case .part(let new): (part, reserved, run) = (new, 0, ExportStatus.Run())
        case .began(let work): begin(work)
        case .reserved(let part): reserved += (1 - reserved) * part
        case .submitting(let track):
            run.submitting.insert(track)
            progressCounter += 1
        case .submitted(let track): run.submitting.remove(track)
        case .frameSubmitted(let end):
            run.encoding.append(end)
            progressCounter += 1
        case .frameEncoded(let bytes):
            run.encodedFrame(bytes)
            progressCounter += 1
        case .audioSubmitted(let end, let isLeading):
            if isLeading { run.advance(to: end) }
            progressCounter += 1
        case .examined(let end):
            run.advance(to: end)
            progressCounter += 1
        case .videoEnded(let end, let frames, let last, let longest, let first, let late, let decoded):
            (run.end, run.lateFrames) = (max(run.end, end), late)
            (run.decodedFrames, run.decodedEnd) = (decoded?.frames ?? frames, max(run.decodedEnd, decoded?.end ?? end))
            (run.frames, run.lastFrame, run.longestFrame, run.firstFrame) = (frames, last, longest, first)
        case .resized(let frames): run.resized = run.resized.map { max($0, frames) } ?? frames
        case .audioEnded(let end, let track, let isDecoded, let silence, let overlap, let decoded, let peak):
            run.peaks[track] = peak
            (run.end, run.decodedEnd) = (max(run.end, end), max(run.decodedEnd, decoded ?? end))
            if end <= .zero { run.emptyAudio.insert(track) }
            if isDecoded { (run.audioEnds[track], run.silences[track]) = (decoded ?? end, silence) }
            run.overlaps[track] = overlap
        case .written(let bytes): run.progress.bytesWritten = bytes
        case .copied(let bytes, let size):
            run.progress.bytesWritten = bytes
            let part = min(1, Double(bytes) / Double(max(1, size)))
            run.progress.fraction = min(0.999, reserved + (1 - reserved) * part)
        case .thumbnailWritten(let path): run.progress.thumbnail = path
        case .finishing:
            run.isFlushing = true
            run.finishIfEncoded()
        case .verifying: run.progress.phase = .verifying
        case .completed(let size): (run.progress.fraction, run.progress.bytesWritten) = (1, size)
        case .aborted: run.isAborted = true
        case .paused(let isPaused): self.isPaused = isPaused
        case .stopped: isStopped = true
        case .ended: phase = .ended
        }
    }

    private mutating func begin(_ work: ExportStatus.Work) {
        phase = .exporting
        run = ExportStatus.Run()
        let (begin, end) = (work.share.lowerBound, work.share.upperBound)
        run.share = reserved + (1 - reserved) * begin..<reserved + (1 - reserved) * end
        (run.progress.phase, run.progress.step, run.progress.mediaDuration) = (work.phase, work.step, work.duration)
        if run.share.lowerBound > 0 { run.progress.fraction = min(0.999, run.share.lowerBound) }
    }
}

extension ExportStatus.Run {
    /// Frames leave the encoder in another order than they entered it, but nearly as many have: the one whose turn it is
    /// tells the time.
    fileprivate mutating func encodedFrame(_ bytes: Int) {
        encodedBytes += Int64(bytes)
        progress.framesWritten += 1
        guard !encoding.isEmpty else { return }
        advance(to: encoding.removeFirst())
        finishIfEncoded()
    }

    /// An encoder may hold minutes of frames when the last one is with it; only what follows them completes the file.
    fileprivate mutating func finishIfEncoded() {
        if isFlushing, encoding.isEmpty { progress.phase = .finishing }
    }

    fileprivate mutating func advance(to time: MediaTime) {
        progress.mediaTime = max(progress.mediaTime, time)
        guard let duration = progress.mediaDuration, duration > .zero else { return }
        let part = min(1, progress.mediaTime / duration)
        let fraction = share.lowerBound + (share.upperBound - share.lowerBound) * part
        progress.fraction = min(0.999, max(progress.fraction ?? 0, fraction))
    }
}
