import GStreamer
import MovieFiles
import SystemPackage

/// What went wrong while a movie was written, in words that stand behind "writing failed: ".
enum WritingFault {
    static func words(_ error: any Error) -> String {
        switch error {
        case MovieFileError.noSpace: "the disk is full"
        case MovieFileError.system(_, .fileTooLarge): "the file cannot grow any further (File too large)"
        case let error as GStreamerError: error.element.isEmpty ? error.message : "\(error.part): \(error.message)"
        default: "\(error)"
        }
    }
}

extension GStreamerError {
    /// The element that reported it, without where it stands: "/GstPipeline:movie/GstX264Enc:video-encoder" is the video encoder.
    fileprivate var part: String {
        let name = element.split(separator: ":").last.map(String.init) ?? element
        return name.hasSuffix("-encoder") ? "the " + name.replacing("-", with: " ") : name
    }
}
