import Encoding
import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// What a run has made, and what its check asks of it.
extension EncodingRun {
    /// - Parameter spans: the parts of the source's time that the movie is made of.
    func result(
        _ file: FinishedFile, _ opened: Opened, video: OpenedTrack?, _ span: ExportTimeRange, _ source: any FrameSource,
        _ spans: [MovieSubtitles.Span]
    ) async -> WrittenMovie {
        let plan = opened.plan
        var delivered = Delivered(
            video: video, audio: opened.tracks.audio, empty: opened.empty, range: span, run: status.snapshot.run,
            rate: plan.rate, leavesOutEmpty: planner.target.container.isMovieFile, audioRates: plan.audioRates,
            audioChannels: plan.audioChannels,
            delay: plan.delay, isEdge: planner.target.edge != nil,
            // A broadcast may begin with frames that need others, and so does its copy.
            beginsWithKeyFrame: video.map {
                !$0.track.isCopied || planner.properties.video?.beginsWithSync == true
            } ?? false)
        delivered.carriesImages =
            context.input.original != nil && planner.properties.carriesImages(to: planner.target.container)
            && planner.target.tracks.places.subtitles == nil
        delivered.carriesData = planner.keepsData && context.input.original != nil && spans.count == 1
        // Some look through the input for what is damaged in it.
        let losses =
            (try? await onOwnThread("rushes-losses") { [delivered] in source.losses(delivered) })
            ?? source.losses(delivered)
        let expected = source.expectation(delivered)
        var written = WrittenMovie(
            expected: expected, size: file.size,
            notes: [plan.summary + "."] + plan.notes.sentences + Self.lateFrames(delivered.run)
                + resizedFrames(delivered.run)
                + Self.emptyAudio(delivered) + Self.clippedAudio(delivered)
                + lateChapters(plan.options.chapters, end: expected.duration)
                + otherTimes(delivered.run, plan.options.chapters) + losses,
            copiesFrames: video?.track.isCopied == true, frameBytes: delivered.run.encodedBytes,
            isFirstPass: plan.isFirstPass)
        if planner.target.edge == nil, !plan.isFirstPass {
            written.latestBeginning =
                (opened.tracks.map { ($0.begin.movieTime ?? .zero) - span.origin }.max() ?? .zero)
                .shown(atSpeed: planner.target.tempo)
            written.inputBegin = source.partsBegin ?? span.begin
            written.awaitsData = delivered.carriesData
            written.subtitles = .init(
                spans, delay: plan.delay.nanoseconds, tracks: planner.target.tracks.places,
                speed: planner.target.tempo)
        }
        return written
    }

    /// What is said of frames that get larger on the way, unless a person says how large all become.
    private func resizedFrames(_ run: ExportStatus.Run) -> [String] {
        let settings = planner.target.settings
        guard let resized = run.resized, settings.size == nil, settings.scale == nil else { return [] }
        return [resized.note]
    }

    /// What is said of copied frames that no edit hides behind a part's end.
    private static func lateFrames(_ run: ExportStatus.Run) -> [String] {
        guard run.lateFrames > 0 else { return [] }
        let frames =
            run.lateFrames == 1
            ? "a frame after the part that the one before it needs"
            : "\(run.lateFrames) frames after the part that those before them need"
        return ["Copied frames end with \(frames); encode them to end exactly there."]
    }

    /// What is said of chapters that a movie's index has no place for; Matroska and audio by itself keep any.
    private func lateChapters(_ chapters: [MovieInfo.Chapter], end: MediaTime) -> [String] {
        let late = planner.target.container.isMovieFile ? chapters.filter { $0.start >= end } : []
        guard let first = late.first else { return [] }
        return [
            late.count == 1
                ? "The chapter “\(first.title)” is left out: it begins after the movie's end."
                : "\(late.count) chapters are left out: they begin after the movie's end."
        ]
    }

    /// What is said where filters change how long the movie is, and not what else has times.
    private func otherTimes(_ run: ExportStatus.Run, _ chapters: [MovieInfo.Chapter]) -> [String] {
        let hasOthers =
            !chapters.isEmpty || planner.properties.hasOwnSubtitles || !planner.target.addedSubtitles.isEmpty
        guard hasOthers, (run.end - run.decodedEnd.shown(atSpeed: planner.target.tempo)).length > 100 * .millisecond
        else { return [] }
        return ["The filters change how long the movie is; its chapters and subtitles keep their times."]
    }

    /// What is said of audio that has ended before the part begins, or begins behind it.
    private static func emptyAudio(_ delivered: Delivered) -> [String] {
        delivered.run.emptyAudio.sorted().map {
            (delivered.audio.count == 1 ? "The audio" : "Audio track \($0 + 1)")
                + " has nothing in this part of the movie."
        }
    }

    /// What is said of audio that is louder than whole numbers can tell.
    private static func clippedAudio(_ delivered: Delivered) -> [String] {
        delivered.run.peaks.sorted { $0.key < $1.key }.compactMap { track, peak in
            PeakMeter.note(peak, track: delivered.audio.count == 1 ? nil : track + 1)
        }
    }

    /// What is said of a time code that the container has no track for.
    func lostTimeCode(_ writer: MovieWriter) -> String? {
        let container = planner.target.container
        guard !container.isMovieFile, !container.isMatroska, container.holdsVideo,
            let code = planner.properties.timeCode ?? writer.timeCode
        else { return nil }
        return "The time code (\(code)) was left out: \(container.displayName) has no track for it here."
    }
}
