import Encoding
import Errors
import MovieFiles

extension InputProperties {
    /// Whether frames that say how opaque they are may be anything but opaque.
    var mayBeTransparent: Bool { gif?.hasTransparency ?? true }

    /// A sentence for an output of HEVC whose frames have a layer that says how opaque they are.
    static var lostAlphaLayer: String {
        "What is transparent is opaque in the movie: nothing here decodes the transparency of HEVC; \(Term.preset) copy into .mov or "
            + ".mp4 keeps it where all of the movie is copied."
    }

    /// A sentence for an output that does not keep how opaque the frames are.
    ///
    /// - Parameter isCopied: whether the frames stay as they are, without what lies beside them.
    func lostAlpha(in output: Container, isCopied: Bool = false) -> String {
        let what =
            gif == nil
            ? "What is transparent is opaque in the movie" : "What is transparent in the GIF is white in the movie"
        if isCopied, container == .matroska, output == .mkv || output == .webm {
            return "\(what); \(Term.preset) copy keeps it where all of the movie is copied."
        }
        let home = ContainerRules.allows(.prores, in: output) ? "ProRes" : "ProRes in .mov or .mkv"
        return "\(what); \(home) keeps it, with \(Term.profile) 4444."
    }
}
