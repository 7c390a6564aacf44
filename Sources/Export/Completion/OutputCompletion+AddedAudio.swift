import Encoding
import Errors
import FileSystem
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

extension OutputCompletion {
    /// Puts the audio of other files behind that of a file that a strategy has written, at the times of the same parts.
    ///
    /// - Throws: ``RushesError``; `MovieFileError`.
    func withAddedAudio(_ movie: WrittenMovie) async throws -> WrittenMovie {
        guard !addedAudio.isEmpty, !movie.carriesAddedAudio else { return movie }
        // Where a size is aimed at it is added in each pass, which have their own parts of the work.
        if context.settings.targetSize == nil { context.status.report(.reserved(0.9)) }
        var written = movie
        var additions: [JoinedOriginal.Addition] = []
        var storages: [(any Sendable)?] = []
        for input in addedAudio {
            guard let added = try await made(input, for: movie) else {
                written.notes.append("\(input.name) has no audio at the times of this movie, so it is left out.")
                continue
            }
            written.notes += added.notes
            storages.append(added.storage)
            additions.append(
                .init(added.original, begin: begin(in: movie), language: input.language, title: nil))
        }
        guard !additions.isEmpty else { return written }
        context.status.report(.began(.init(step: "Adding audio")))
        let (output, container, status) = (output, container, context.status)
        let (end, fastStart) = (movie.expected.duration, context.settings.fastStart)
        let delay = try await onOwnThread("rushes-added") { [additions] in
            let original = try MovieOriginal(
                try output.file().path, isOwn: true, isForMatroska: !container.isMovieFile)
            let joined = try JoinedOriginal(original, adding: additions, until: end)
            let size = Int64(clamping: joined.size)
            func mayContinue(_ written: UInt64) -> Bool {
                status.report(.copied(bytes: Int64(clamping: written), size: size))
                return status.mayContinue()
            }
            guard container.isMovieFile else {
                let copy = try MatroskaCopy(of: joined, options: .init(isWebM: container == .webm))
                try output.replace { try copy.write(to: $1, progress: mayContinue) }
                return copy.delay
            }
            let options = MovieCopy.Options(fileType: container.movieFileType, putsIndexFirst: fastStart)
            let copy = try MovieCopy(of: joined, options: options)
            try output.replace { try copy.write(to: $1, progress: mayContinue) }
            return MediaTime.zero
        }
        withExtendedLifetime(storages) {}
        written.carriesAddedAudio = true
        written.size = try output.size()
        written.expected.audioTracks += additions.count
        written.expected.duration += delay
        written.expected.lastFrame = written.expected.lastFrame.map { $0 + delay }
        written.subtitles?.delay += delay.nanoseconds
        return written
    }

    private func spans(of movie: WrittenMovie) -> [MovieSubtitles.Span] {
        movie.subtitles?.spans ?? [.init(origin: 0, end: nil)]
    }

    /// When the first part begins in the output.
    private func begin(in movie: WrittenMovie) -> MediaTime {
        MediaTime(nanoseconds: (spans(of: movie).first?.begin ?? 0) + (movie.subtitles?.delay ?? 0))
    }

    /// - Returns: nil where the audio has nothing at the movie's times.
    private func made(_ input: AddedAudioInput, for movie: WrittenMovie) async throws -> AddedAudioInput.Made? {
        let length = movie.expected.duration - begin(in: movie)
        var (parts, rest) = ([TimeRange](), length)
        for span in spans(of: movie) where rest > .zero {
            let start = max(.zero, MediaTime(nanoseconds: span.origin) - movie.inputBegin)
            let told = span.end.map { MediaTime(nanoseconds: $0) - movie.inputBegin }
            let end = min(told ?? .max, start + rest)
            parts.append(TimeRange(start: start, end: end))
            rest -= end - start
        }
        // What lies behind its end, as far as that is known.
        if let duration = input.duration {
            while let last = parts.last, last.start >= duration { parts.removeLast() }
        }
        guard !parts.isEmpty else { return nil }
        var made: AddedAudioInput.Made
        do { made = try await input.made(parts) } catch let error as RushesError where error.code == .nothingRecorded {
            return nil
        }
        made.notes = [words(on: input)] + lengths(input, made, length) + made.notes
        return made
    }

    private func words(on input: AddedAudioInput) -> String {
        input.language.map { "\(input.name) is added as \($0.displayName) audio." }
            ?? "\(input.name) is added as audio."
    }

    private func lengths(
        _ input: AddedAudioInput, _ made: AddedAudioInput.Made, _ length: MediaTime
    ) -> [String] {
        let noticed = 100 * .millisecond
        if length - made.duration > noticed {
            return ["It ends \((length - made.duration).secondsToHundredths) s before the movie does."]
        }
        guard !context.settings.takesParts, let duration = input.duration, duration - length > noticed else {
            return []
        }
        return ["Its last \((duration - length).secondsToHundredths) s are left out, as the movie ends before."]
    }
}
