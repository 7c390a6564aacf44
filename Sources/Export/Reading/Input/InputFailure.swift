import Encoding
import Errors
import GStreamer

/// Turns what GStreamer said into a sentence about the file.
enum InputFailure {
    static func explain(_ error: any Error, _ reader: MediaReader, _ file: InputFile) -> any Error {
        let name = file.path.displayName
        if reader.unknown.contains(where: { $0.first?.name == "application/x-cenc" }) {
            return RushesError(
                .badInput, "\(name) is encrypted; it can be exported only by whoever has its key.")
        }
        guard let failure = error as? GStreamerError else { return error }
        if failure.element == MediaReader.silence {
            return RushesError(
                .stalled, "\(name) cannot be read: \(failure.message).", underlying: failure)
        }
        // What GStreamer says where an element said nothing.
        let isNameless = ["GStreamer encountered a general", "Internal data stream error"].contains {
            failure.message.hasPrefix($0)
        }
        // Two elements that do not fit each other, of which the data is innocent.
        let isUnfit = isNameless && failure.debug.contains("not-negotiated")
        if isRefusal(failure) {
            guard reader.tracks.contains(where: \.isCopied) else {
                let reason = isUnfit ? unfit : "the encoder or the output does not accept what is read from it."
                return RushesError(
                    .badInput, "\(name) cannot be exported in this way: \(reason) Try another \(Term.preset).",
                    underlying: failure)
            }
            return RushesError(
                .badInput,
                "\(name) cannot be copied: the output does not take its streams as they are; "
                    + "\(Term.reencoding).", underlying: failure)
        }
        if isChange(failure) { return change(in: name, failure) }
        if failure.message.hasPrefix("No valid frames found"), failure.element.lowercased().contains("dcaparse") {
            return RushesError(
                .badInput,
                "\(name) cannot be read: its audio is DTS Express, which GStreamer does not read, or damaged DTS; convert it with "
                    + "what made it, or with ffmpeg.", underlying: failure)
        }
        guard failure == reader.failure else { return error }
        if failure.isDiskFull {
            return RushesError(
                .diskFull, "The disk is full; free some space or choose another disk.", underlying: failure)
        }
        let codec = reader.tracks.first.map { $0.stream.caps.first?.name ?? "" } ?? ""
        let message = isUnfit ? unfit : isNameless ? "its data is damaged." : failure.message
        let hint =
            failure.domain == "gst-stream-error-quark" && failure.message.contains("missing a plug-in")
            ? " (\(codec)); install gstreamer1.0-libav or the plug-in for it" : ""
        return RushesError(
            .badInput, "\(name) cannot be read: \(message)\(hint)", underlying: failure)
    }

    private static let unfit =
        "GStreamer cannot turn its form of video or audio into the one that is wanted (not-negotiated)."

    /// Whether the output did not take what was handed to it.
    static func isRefusal(_ error: any Error) -> Bool {
        guard let failure = error as? GStreamerError else { return false }
        return failure.element.contains("AppSrc") && failure.domain == "gst-stream-error-quark"
    }

    /// Whether a muxer refused what is copied as it changes on the way.
    static func isChange(_ error: any Error) -> Bool {
        (error as? GStreamerError)?.debug.contains("Caps changes are not supported") == true
    }

    static func change(in name: String, _ failure: GStreamerError? = nil) -> RushesError {
        RushesError(
            .badInput,
            "\(name) cannot be copied: its video or audio changes on the way, which the output cannot hold; "
                + "\(Term.reencoding).", underlying: failure)
    }
}
