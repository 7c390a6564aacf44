import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// When the first frame of a movie was taken, as its files tell: by their date and their time code.
///
/// What a movie's options say counts most, then the time codes of the stream itself, then the clock.
final class FirstFrame: Sendable {
    private struct State {
        var streamCode: TimeCode?
        var streamCodes = StreamTimeCodes()
        var date: @Sendable (MediaTime) -> MovieDate? = { _ in nil }
        var rate: Fraction?
    }

    private let state = Locked(State())
    private let given: @Sendable () -> MovieFileWriter.Beginning

    init(_ options: MovieFileWriter.Options = .init()) { given = options.beginning }

    /// Of the stream's first frame that has one.
    var streamCode: TimeCode? { state.withLock { $0.streamCode } }

    /// - Parameter time: when a key frame is presented, with which a file may begin; `nil` for other frames.
    func note(_ code: FrameTimeCode, at time: MediaTime?) {
        guard let code = TimeCode(code) else { return }
        state.withLock { state in
            state.streamCode = state.streamCode ?? code
            if let time { state.streamCodes.note(code, at: time) }
        }
    }

    func take(_ date: @escaping @Sendable (MediaTime) -> MovieDate?, rate: Fraction?) {
        state.withLock { ($0.date, $0.rate) = (date, rate) }
    }

    /// Of a file that begins at a time in the movie. A stream's own codes are those of its frames, so pauses are in them; one that is given
    /// counts on with the movie.
    func ofFile(beginningAt begin: MediaTime) -> MovieFileWriter.Beginning {
        let (state, given) = (state.withLock { $0 }, given())
        let (first, date) = (state.date(.zero), state.date(begin))
        var beginning = MovieFileWriter.Beginning(date: given.date ?? date)
        if let code = given.timeCode {
            beginning.timeCode = code.advanced(by: begin)
        } else if let code = state.streamCodes.code(at: begin) ?? state.streamCode?.advanced(by: begin) {
            beginning.timeCode = code
        } else if let first, let date, let rate = state.rate {
            let passed = date.date.timeIntervalSince(first.date)
            beginning.timeCode = TimeCode(first, rate: rate)?.advanced(by: MediaTime(seconds: passed))
        }
        return beginning
    }
}

extension TimeCode {
    /// That of a frame of a stream; nil where it is none that exists.
    init?(_ code: FrameTimeCode) {
        guard let numerator = UInt32(exactly: code.rate.numerator),
            let denominator = UInt32(exactly: code.rate.denominator)
        else { return nil }
        self.init(
            hours: code.hours, minutes: code.minutes, seconds: code.seconds, frames: code.frames,
            rateNumerator: numerator, rateDenominator: denominator, isDropFrame: code.isDropFrame)
    }
}
