import Encoding
import Errors
import GStreamer
import LiveActivity
import MovieFiles
import Threads

/// Writes the file so that it has a size: in two passes where the encoder knows them, and again where that missed it.
struct SizeTargetExport: ExportStrategy {
    let context: ExportContext
    let planner: ExportPlanner
    /// Bytes.
    let size: Int64

    private var settings: ExportSettings { context.settings }

    func write() async throws -> WrittenMovie? {
        let end = [context.properties.duration, settings.range?.end].compactMap(\.self).min()
        guard let end else {
            throw RushesError(.invalidSettings, "The length of the input is unknown, so a target size cannot be used.")
        }
        let target = target(lasting: end - (settings.range?.start ?? .zero))
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
        return try await EncodingRun(context: context, planner: planner).runRetrying()
    }

    private func target(lasting duration: MediaTime) -> SizeTarget {
        let movie = context.properties.movie
        // What the encoder tables give a channel of audio, for the tracks that there are.
        let channels =
            planner.target.audio == AudioCodec.none
            ? [] : movie?.audio.map { settings.channels ?? $0.channels } ?? [settings.channels ?? 2]
        return SizeTarget(
            size: size, duration: duration, audio: channels.reduce(0, +) * 96_000,
            container: SizeTarget.container(
                planner.target.container.isMovieFile,
                rate: settings.rate?.doubleValue ?? movie?.video.first?.frameRate ?? 30, audioTracks: channels.count,
                lasting: duration),
            limit: planner.tables.largestRate(of: planner.target.video)?.bits ?? SizeTarget.most)
    }
}
