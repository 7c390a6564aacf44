import Encoding
import GStreamer
import MovieFiles
import Threads

extension ExportJob {
    /// Writes the file so that it has a size, in bytes: in two passes where the encoder knows them, and again where that
    /// missed it.
    func write(
        _ planner: ExportPlanner, size: Int64, _ file: InputFile, _ output: TemporaryOutput,
        _ setbacks: inout RetryReasons, _ notes: inout [String]
    ) async throws -> EncodingRun.Written {
        let facts = planner.facts
        let end = [facts.duration, settings.range?.end].compactMap(\.self).min()
        guard let end else {
            throw ExportError(.unsuitable, "Nobody knows how long the input is, so no size can be aimed at.")
        }
        let aim = aim(at: size, planner, lasting: end - (settings.range?.start ?? 0))
        var rate = try aim.firstRate()
        let folder = destination.folder
        let statistics = try await onOwnThread("rushes-passes") { try PassStatistics(in: folder) }
        defer { statistics.remove() }
        var round = SizeTargetPass(statistics: statistics.location)
        var planner = planner
        planner.target.control = .bitrate(rate)
        planner.target.round = round
        var written = try await write(planner, file, output, &setbacks)
        if written.isFirstPass {
            guard statistics.isWritten else {
                throw ExportError(.encoderFailed, "The encoder's first pass left nothing for the second.")
            }
            (round.number, round.isLearned) = (2, true)
            planner.target.round = round
            written = try await write(planner, file, output, &setbacks)
        }
        // One more is nearly always enough; what is short or uneven may need another.
        for isLast in [false, true] {
            guard
                let next = aim.nextRate(
                    after: rate, gave: written.size, frames: written.frameBytes, isLast: isLast)
            else { break }
            output.empty()
            rate = next
            round.number += 1
            planner.target.control = .bitrate(rate)
            planner.target.round = round
            written = try await write(planner, file, output, &setbacks)
        }
        if written.size > size || rate == SizeTarget.most {
            notes.append("\(written.size) bytes is as near as the encoder comes to \(size).")
        }
        return written
    }

    private func aim(at size: Int64, _ planner: ExportPlanner, lasting duration: Nanoseconds) -> SizeTarget {
        let movie = planner.facts.movie
        // What the encoder tables give a channel of audio, for the tracks that there are.
        let channels =
            planner.target.audio == AudioCodec.none
            ? [] : movie?.audio.map { settings.channels ?? $0.channels } ?? [settings.channels ?? 2]
        return SizeTarget(
            size: size, duration: duration, audio: channels.reduce(0, +) * 96_000,
            container: SizeTarget.container(
                planner.target.container.isMovieFile,
                rate: settings.rate?.doubleValue ?? movie?.video.first?.frameRate ?? 30, audioTracks: channels.count,
                lasting: duration))
    }
}
