import Encoding
import LiveActivity
import Logging

/// The speeds of a recording's encoders while it runs.
extension RecordingSupervisor {
    /// Lets an encoder work at another of its speeds, and says so. One that cannot be had stays as it is, and is asked for again.
    ///
    /// - Parameters:
    ///   - index: 0 is the movie's, the others are those of the cameras' own.
    ///   - step: how many steps faster than it began.
    func changeSpeed(of index: Int, to step: Int) async {
        let movie = index == 0 ? writer : cameras[index - 1].writer
        let before = movie.speedStep
        do {
            guard try await movie.exchangeEncoder(speed: step), let name = movie.speedName(step) else { return }
            let whose = index == 0 ? "The encoder" : "The encoder of \(cameras[index - 1].camera)'s own movie"
            events.put(
                .warning(
                    step > before
                        ? "\(whose) now works at the faster speed \(name), until it has caught up."
                        : "\(whose) has caught up: it works at the speed \(name) again."))
        } catch {
            log.debug("no other encoder", metadata: ["speed": "\(movie.speedName(step) ?? "")", "error": "\(error)"])
        }
    }
}

extension MovieWriter {
    /// At which speed it encodes its frames.
    var encoderSnapshot: EncoderRelief.Snapshot {
        .init(step: speedStep, fastest: fasterSpeeds, isExchanging: isExchangingEncoder)
    }
}
