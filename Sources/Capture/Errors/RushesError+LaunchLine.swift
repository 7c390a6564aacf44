import Errors
import GStreamer

extension RushesError {
    /// What GStreamer said when a source that a person wrote (`gst:…`) was opened or while it ran.
    ///
    /// Elements without a device behind them give a common message, and say what is wrong in the last line of its details.
    init(openingLine name: String, _ error: GStreamerError) {
        func says(_ words: String) -> Bool { error.message.contains(words) || error.debug.contains(words) }
        if says("Failed to connect") || says("Could not connect") || says("Connection refused") || says("timed out") {
            self.init(
                .deviceFailed, on: name,
                "\(name) cannot be reached: nothing answers at its address; is it right, the camera on, the network there?",
                underlying: error)
        } else {
            let detail = error.debug.split(separator: "\n").dropFirst().last.map(String.init)
            self.init(
                .deviceFailed, on: name, "\(name) cannot be opened: \(detail ?? error.message)", underlying: error)
        }
    }
}
