import Errors
import GStreamer

extension RushesError {
    /// What GStreamer said when a source was opened or while it ran, as one sentence with the cure.
    ///
    /// Besides the codes the words count: v4l2src (1.22) hides a refusal in its details under the code of any failure to
    /// open, and pulsesrc tells of a missing source only in libpulse's words.
    ///
    /// - Parameter isLaunchLine: Whether a person wrote the source's elements (`gst:…`), of which the words about devices are not
    ///   true.
    init(opening name: String, isLaunchLine: Bool = false, _ error: GStreamerError) {
        if isLaunchLine, error.domain != "rushes", !error.isBusy, !error.isNotAuthorized {
            self.init(openingLine: name, error)
            return
        }
        func says(_ words: String) -> Bool { error.message.contains(words) || error.debug.contains(words) }
        let (code, words): (Code, String) =
            if error.isBusy || says("Device or resource busy") {
                (.deviceBusy, "\(name) is in use by another program; close that, or choose another device.")
            } else if error.isNotAuthorized || says("Permission denied") || says("Access denied") {
                (
                    .deviceForbidden,
                    "\(name) cannot be opened: you have no permission; for a camera, add yourself to the group video "
                        + "(sudo usermod -aG video $USER) and log in again."
                )
            } else if says("Connection refused") || says("Connection terminated") {
                (.deviceFailed, "\(name) cannot be reached: its sound server is not running; start it and try again.")
            } else if error.isNotFound || says("No such entity") || says("Entity killed") || says("No such device")
                || says("No such file or directory")
            {
                (.deviceNotFound, "\(name) is no longer there; \(Term.devices) lists what is.")
            } else if error.domain == "rushes", says("not playing after") {
                (.deviceSilent, "\(name) does not respond; is it in use or unplugged, or is its server stuck?")
            } else if says("not-negotiated") {
                (
                    .unsupportedFormat,
                    "\(name) does not deliver the size and rate that were chosen; choose others\(Term.bySizeAndRate)."
                )
            } else {
                (.deviceFailed, "\(name) cannot be opened: \(error.message)")
            }
        self.init(code, on: name, words, underlying: error)
    }

    /// What GStreamer said when a source that a person wrote (`gst:…`) was opened or while it ran.
    ///
    /// Elements without a device behind them give a common message, and say what is wrong in the last line of its details.
    init(openingLine name: String, _ error: GStreamerError) {
        func says(_ words: String) -> Bool { error.message.contains(words) || error.debug.contains(words) }
        if says("Failed to connect") || says("Could not connect") || says("Connection refused") || says("timed out") {
            self.init(
                .deviceFailed, on: name,
                "\(name) cannot be reached: nothing answers at its address; is it right, is the camera on, is the network there?",
                underlying: error)
        } else {
            let detail = error.debug.split(separator: "\n").dropFirst().last.map(String.init)
            self.init(
                .deviceFailed, on: name, "\(name) cannot be opened: \(detail ?? error.message)", underlying: error)
        }
    }
}
