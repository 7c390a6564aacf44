import Encoding
import Errors
import FileSystem
import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// A movie of audio and one still image: one pipeline writes the audio, copied where the container holds it, another the image for as long, and
/// both go into one file by their indexes.
struct StillMovie: ExportStrategy {
    let context: ExportContext
    let planner: ExportPlanner
    let image: StillImage

    private var container: Container { planner.target.container }

    /// How much of the work the audio is.
    private static let audioShare = 0.4

    func write() async throws -> WrittenMovie? {
        var target = planner.target
        target.takesVideo = false
        if target.settings.audio == .preset { target.keptAudio = container }
        let codec = try await audioCodec(target)
        let movies: [Container] = container.isMovieFile ? [container] : [.mp4, .mov]
        target.container = movies.first { ContainerRules.allows(codec, in: $0) } ?? .mka
        target.step = (0..<Self.audioShare, "Writing the audio")
        var properties = context.properties
        // They are told by the other file.
        (properties.metadata, properties.unkept, properties.chapters) = (MovieMetadata(), [], [])
        properties.hasAttachments = false
        let audio = try await run(
            target, context.input, properties: properties, planner.target.settings)
        let shown = StillInput(
            image: image, properties: told(lasting: audio.written.expected.duration), displayName: name)
        let still = try await run(stillTarget, shown, properties: shown.properties, stillTarget.settings)
        return try await combined(audio, still)
    }

    private var name: String { context.settings.image?.displayName ?? context.input.displayName }

    /// What one of the two pipelines has written, and where.
    private struct Half: Sendable {
        var output: TemporaryOutput
        var written: WrittenMovie
    }

    private func run(
        _ target: ExportTarget, _ input: any ExportInput, properties: InputProperties, _ settings: ExportSettings
    ) async throws -> Half {
        let output = TemporaryOutput(for: context.destination)
        let own = ExportContext(
            input: input, settings: settings, destination: context.destination, output: output, status: context.status,
            thumbnail: target.takesVideo ? context.thumbnail : nil, log: context.log)
        let planner = ExportPlanner(target: target, properties: properties, tables: planner.tables)
        return Half(output: output, written: try await EncodingRun(context: own, planner: planner).runRetrying())
    }

    /// What the audio becomes.
    ///
    /// - Throws: ``RushesError`` where there is none, or video beside it.
    private func audioCodec(_ target: ExportTarget) async throws -> AudioCodec {
        let name = context.input.displayName
        return try await context.retrying { reasons in
            try await context.input.source(for: target, without: reasons).reading(context.status) { source in
                try await source.open()
                let hasVideo = (source as? MovieSource)?.reader.leftOut.contains { $0.kind == .video } ?? false
                let isCover = context.properties.hasCoverForVideo || context.properties.hasChapterImages
                guard !hasVideo || isCover else {
                    throw RushesError(
                        .badInput, on: name,
                        "\(name) has video already, and \(Term.stillImage) is for audio alone; leave it out.")
                }
                let opened = try await EncodingRun.openTracks(source)
                guard let audio = try target.tracks.chosen(of: opened, in: name).audio.first else {
                    if opened.isEmpty, let reason = await source.lastResort(context.status) { throw reason }
                    throw RushesError(.badInput, on: name, "There is no audio in \(name).")
                }
                return (audio.track.isCopied ? AudioCodec(caps: audio.caps) : nil) ?? target.audio ?? .aac
            }
        }
    }

    /// How the image is encoded.
    private var stillTarget: ExportTarget {
        var target = planner.target
        let movies: [Container] = container.isMovieFile ? [container] : [.mp4, .mov]
        target.container = movies.first { ContainerRules.allows(target.video, in: $0) } ?? .mkv
        (target.audio, target.settings.audio) = (AudioCodec.none, .codec(.none))
        target.step = (Self.audioShare..<1, "Encoding the image")
        (target.settings.range, target.settings.parts, target.settings.speed) = (nil, nil, nil)
        (target.settings.size, target.settings.scale, target.settings.addedAudio) = (nil, nil, nil)
        return target
    }

    /// What the movie says of itself.
    private func told(lasting duration: MediaTime) -> InputProperties {
        var properties = InputProperties(duration: duration)
        let own = context.properties
        (properties.metadata, properties.unkept) = (own.metadata, own.unkept)
        // A cover goes into Matroska with whatever else is attached.
        if container.holdsAttachments { properties.metadata.artwork = nil }
        properties.hasAttachments = own.hasAttachments && !container.holdsAttachments
        properties.chapters = planner.chapters
        return properties
    }

    private func combined(_ audio: Half, _ still: Half) async throws -> WrittenMovie {
        let (output, status, container) = (context.output, context.status, container)
        let fastStart = planner.target.settings.fastStart
        let delay = try await onOwnThread("rushes-still") {
            let isForMatroska = !container.isMovieFile
            let frames = try MovieOriginal(
                try still.output.file().path, isOwn: true, isForMatroska: isForMatroska)
            let samples = try MovieOriginal(
                try audio.output.file().path, isOwn: true, isForMatroska: isForMatroska)
            let joined = try JoinedOriginal(frames, audioOf: samples)
            let target = try output.file()
            guard container.isMovieFile else {
                let copy = try MatroskaCopy(of: joined, options: .init(isWebM: container == .webm))
                try target.withDescriptor { try copy.write(to: $0) { _ in status.mayContinue() } }
                return copy.delay
            }
            let options = MovieCopy.Options(fileType: container.movieFileType, putsIndexFirst: fastStart)
            let copy = try MovieCopy(of: joined, options: options)
            try target.withDescriptor { try copy.write(to: $0) { _ in status.mayContinue() } }
            return MediaTime.zero
        }
        var written = audio.written
        (written.expected.frames, written.expected.beginsWithKeyFrame) = (still.written.expected.frames, true)
        written.expected.lastFrame = still.written.expected.lastFrame.map { $0 + delay }
        written.expected.duration += delay
        written.subtitles?.delay += delay.nanoseconds
        written.size = try context.output.size()
        written.frameBytes = still.written.frameBytes
        let summary = "\(still.written.notes[0].dropLast()); \(audio.written.notes[0])"
        written.notes = [summary] + Array(still.written.notes.dropFirst() + audio.written.notes.dropFirst()).uniqued
        return written
    }
}
