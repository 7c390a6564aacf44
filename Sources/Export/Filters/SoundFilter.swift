import Errors
import GStreamer
import MediaFilters
import MediaTypes

/// Audio on its way through libavfilter.
// One thread at a time carries a track.
final class SoundFilter: @unchecked Sendable {
    /// What comes out.
    let caps: Caps
    private let filter: AudioFilter
    private var bytesPerFrame: Int { 4 * filter.format.channels }
    /// Where the next frame lies, in frames from the movie's beginning.
    private var position = 0
    /// Where what came out ends in the movie.
    var end: MediaTime { time(of: position) }

    /// - Parameter caps: what the audio is, in floating point.
    /// - Throws: ``RushesError`` where the filters refuse it.
    init(_ text: String, _ caps: Caps) throws(RushesError) {
        do throws(FilterFailure) {
            guard let format = AudioFilterFormat(caps) else {
                throw FilterFailure("it takes no audio of the kind \(caps)")
            }
            let library = try FilterChoice.library
            let filter = try AudioFilter(library, text, format)
            // Some measure at a rate of their own (loudnorm at 192 kHz), which nobody has asked for.
            let isAsked = ["aresample", "aformat", "asetrate", "[out]"].contains { text.contains($0) }
            self.filter =
                filter.format.rate == format.rate || isAsked
                ? filter : try AudioFilter(library, "\(text),aformat=sample_rates=\(format.rate)", format)
            self.caps = self.filter.format.caps
        } catch {
            throw RushesError(refused: text, .audioFilter, error)
        }
    }

    /// - Parameters:
    ///   - buffer: audio without a gap to what came before.
    ///   - position: of its first frame, from the movie's beginning.
    /// - Returns: what came out, without gaps.
    func apply(to buffer: Buffer, at position: Int) throws(RushesError) -> [Buffer] {
        try FilterFailure.explaining(.audioFilter) {
            try buffer.withBytes { try filter.add($0, at: position) }
            return try taken()
        }
    }

    /// What is left when no more comes.
    func finish() throws(RushesError) -> [Buffer] {
        try FilterFailure.explaining(.audioFilter) {
            try filter.end()
            return try taken()
        }
    }

    private func taken() throws -> [Buffer] {
        var buffers: [Buffer] = []
        while let more = try filter.take({ bytes, time in
            // What begins later than what came before ends is silent until then.
            silence(until: time ?? position) + [piece(bytes)]
        }) {
            buffers += more
        }
        return buffers
    }

    private func silence(until time: Int) -> [Buffer] {
        var buffers: [Buffer] = []
        // Times are rounded by less than that.
        guard time > position + 1 else { return [] }
        while position < time {
            let count = min(time - position, filter.format.rate)
            buffers.append([UInt8](repeating: 0, count: count * bytesPerFrame).withUnsafeBytes { piece($0) })
        }
        return buffers
    }

    private func piece(_ bytes: UnsafeRawBufferPointer) -> Buffer {
        let begin = end
        position += bytes.count / bytesPerFrame
        return Buffer(copying: bytes, presentationTime: begin, duration: end - begin)
    }

    private func time(of position: Int) -> MediaTime {
        MediaTime(samples: position, of: Fraction(filter.format.rate))
    }
}
