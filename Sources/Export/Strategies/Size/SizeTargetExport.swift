import Encoding
import Errors
import GStreamer
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// Writes the file so that it has a size: in two passes where the encoder knows them, and again where that missed it.
struct SizeTargetExport: ExportStrategy {
    let context: ExportContext
    let planner: ExportPlanner
    /// Bytes.
    let size: Int64
    /// What is added to each file that is written, and counts.
    let addedAudio: [AddedAudioInput]

    private var settings: ExportSettings { context.settings }

    func write() async throws -> WrittenMovie? {
        let end = [context.properties.duration, settings.range?.end].compactMap(\.self).min()
        guard let end else {
            throw RushesError(.invalidSettings, "The length of the input is unknown, so a target size cannot be used.")
        }
        let length = end - (settings.range?.start ?? .zero)
        let target = target(
            lasting: length.shown(atSpeed: planner.target.tempo),
            audioRates: try await onOwnThread("rushes-audio") { audioRates + addedAudio.map(addedRate) },
            others: try await onOwnThread("rushes-subtitles") { sizeBesideMedia + dataSize(lasting: length) })
        var rate = try target.firstRate()
        let folder = context.destination.folder
        let statistics = try await onOwnThread("rushes-passes") { try PassStatistics(in: folder) }
        defer { statistics.remove() }
        var pass = SizeTargetPass(statistics: statistics.location)
        var written = try await write(pass, rate)
        if written.isFirstPass {
            guard statistics.isWritten else {
                throw RushesError(.encoderFailed, "The encoder's first pass left nothing for the second.")
            }
            (pass.number, pass.isLearned) = (2, true)
            written = try await write(pass, rate)
        }
        // One more is nearly always enough; what is short or uneven may need another.
        for isLast in [false, true] {
            guard
                let next = target.nextRate(
                    after: rate, gave: written.size, frames: written.frameBytes, isLast: isLast)
            else { break }
            context.output.empty()
            rate = next
            pass.number += 1
            written = try await write(pass, rate)
        }
        if written.size > size || rate == target.limit {
            context.log.note(
                "\(Quantities.bytes(written.size)) is as close as the encoder gets to \(Quantities.bytes(size)).")
        }
        return written
    }

    private func write(_ pass: SizeTargetPass, _ rate: Int) async throws -> WrittenMovie {
        var planner = planner
        (planner.target.control, planner.target.round) = (.bitrate(rate), pass)
        let written = try await EncodingRun(context: context, planner: planner).runRetrying()
        guard !written.isFirstPass else { return written }
        // The audio, the telemetry and the subtitles that are put into the file count.
        let completion = OutputCompletion(context: context, target: planner.target, addedAudio: addedAudio)
        let withAudio = try await completion.withAddedAudio(written)
        var whole = try await completion.withSubtitles(try await completion.withData(withAudio))
        (whole.subtitles, whole.awaitsData) = (nil, false)
        return whole
    }

    private func target(lasting duration: MediaTime, audioRates rates: [Int], others: Int64) -> SizeTarget {
        SizeTarget(
            size: size, duration: duration, audio: rates.reduce(0, +),
            container: others
                + SizeTarget.container(
                    planner.target.container.isMovieFile,
                    rate: settings.rate?.doubleValue ?? context.properties.movie?.video.first?.frameRate ?? 30,
                    audioTracks: rates.count, lasting: duration),
            limit: planner.tables.largestRate(of: planner.target.video)?.bits ?? SizeTarget.most)
    }

    /// Bits a second of an audio track of so many channels that is encoded.
    private func encoded(_ channels: Int) -> Int {
        settings.audioBitrate ?? (settings.channels ?? channels) * Self.bitsPerChannel
    }

    /// Bits a second of each audio track: what one has that is copied, else what the encoder tables give each channel. Blocks.
    private var audioRates: [Int] {
        let codec = planner.target.audio
        guard codec != AudioCodec.none else { return [] }
        guard let audio = context.properties.movie?.audio ?? matroskaAudio else { return [encoded(2)] }
        let taken = planner.target.tracks.places.audio?.filter(audio.indices.contains).map { audio[$0] } ?? audio
        return taken.map { track in
            let isCopied =
                codec == nil
                || codec?.rawValue == track.codec && !settings.reencodes && settings.loudness == nil
                    && settings.audioBitrate == nil
                    && !settings.takesParts && settings.channels ?? track.channels == track.channels
            return isCopied
                ? track.bitRate.map { Int(clamping: $0) } ?? encoded(track.channels) : encoded(track.channels)
        }
    }

    /// The same of added audio; of what is copied from a file of audio alone, all of that file.
    private func addedRate(_ added: AddedAudioInput) -> Int {
        let (properties, duration) = (added.movie.properties, added.duration?.seconds ?? 0)
        if let track = properties.movie?.audio.first, !added.isCopied || track.bitRate != nil {
            return added.isCopied
                ? track.bitRate.map { Int(clamping: $0) } ?? 0
                : encoded(track.channels)
        }
        guard added.isCopied, duration > 0, let file = added.movie.file else {
            return encoded(2)
        }
        return Int(Double(file.size) * 8 / duration)
    }

    /// The tracks that Matroska's index names; nil of any other file.
    private var matroskaAudio: [MovieInfo.Audio]? {
        guard context.properties.container == .matroska, let file = context.input.original else { return nil }
        return (try? MovieInfo(readingMatroska: FilePath(file.location)))??.audio
    }

    private static let bitsPerChannel = 96_000

    /// What the data tracks take that are put into the file, about, in bytes: so much of them as of the movie. Blocks.
    private func dataSize(lasting length: MediaTime) -> Int64 {
        guard planner.keepsData, !settings.takesParts, let file = context.input.original,
            let all = context.properties.movie?.duration, all > .zero,
            let data = try? DataTracks(of: FilePath(file.location), for: planner.target.container.movieFileType)
        else { return 0 }
        return Int64(Double(data.size) * min(1, length / all))
    }

    /// What the subtitles and the attachments take that are put into the file, about, in bytes. Blocks.
    private var sizeBesideMedia: Int64 {
        let (container, properties) = (planner.target.container, context.properties)
        guard let file = context.input.original else { return 0 }
        let location = FilePath(file.location)
        let subtitles =
            properties.hasOwnSubtitles && container.holdsVideo
            ? try? MovieSubtitles(of: location, tracks: planner.target.tracks.places) : nil
        let attached =
            container.holdsAttachments
            ? try? AttachedFiles(of: location, artwork: properties.metadata.artwork) : nil
        let cover = container.isMovieFile ? properties.metadata.artwork?.count ?? 0 : 0
        let added = planner.target.addedSubtitles.reduce(0) { $0 + $1.fileSize }
        return (subtitles?.fileSize ?? 0) + added + (attached?.fileSize ?? 0) + Int64(cover)
    }
}
