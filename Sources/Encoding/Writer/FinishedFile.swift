import Errors
import GStreamer
package import MediaTypes
import MovieFiles
package import SystemPackage

/// A completed file.
package struct FinishedFile: Sendable, Equatable {
    /// What went wrong with a file that is there all the same.
    package enum Fault: Sendable, Equatable {
        /// Not all of it could be written; why, for people.
        case writing(String)
        /// Somebody took its name away; what happened, for people.
        case lost(String)
        /// All that came would have been larger than it may be.
        case sizeReached

        init(writing error: any Error) {
            if case MovieFileError.sizeReached = error {
                self = .sizeReached
            } else {
                self = .writing(WritingFault.words(error))
            }
        }
    }

    /// Where the movie is.
    package var path: FilePath
    /// Its size in bytes.
    package var size: Int64
    /// Frames in it, by its own index.
    package var frames = 0
    /// Audio tracks that hold anything.
    package var audioTracks = 0
    /// How long it lasts, by its own index.
    package var duration = MediaTime.zero
    /// Whether the index could be completed; otherwise the file is the fragments, which play.
    package var isComplete: Bool
    /// What kept all from being in it, or it from where it belongs; `nil` where nothing did.
    package var fault: Fault?
    /// Whether it is not all written because the disk is full.
    package var isDiskFull = false
    /// What kept it from being complete or whole, or `nil`.
    package var problem: String?
}

extension FinishedFile {
    /// Says which tracks are not in the file, where writing failed before anything of them was.
    mutating func nameMissingTracks(of plan: MoviePlan) {
        let words: String
        switch fault {
        case .writing: words = "writing failed"
        case .sizeReached: words = "the size limit was reached"
        case .lost, nil: return
        }
        guard problem == nil else { return }
        // There may be other parts, which have them.
        let name = path.lastComponent?.string ?? "the file"
        let missing =
            (plan.video != nil && frames == 0 ? ["frame"] : [])
            + (audioTracks == 0 && !plan.audio.isEmpty ? ["audio"] : [])
        if let first = missing.first {
            problem = "No \(first) is in \(name): \(words) before any was."
        } else if audioTracks < plan.audio.count {
            problem =
                "\(audioTracks) of \(plan.audio.count) audio tracks are in \(name): \(words) before the others began."
        }
    }
}

/// Thrown where a file would have no samples.
let nothingRecorded = RushesError(.nothingRecorded, "Nothing was recorded, so there is no file.")
/// Thrown where that is because of its size.
let nothingFits = RushesError(
    .nothingRecorded,
    "Nothing fits into the recording's size limit, not even its beginning; allow more, or record in lower quality.")

/// What went wrong while a movie was written, in words that stand behind "writing failed: ".
enum WritingFault {
    static func isDiskFull(_ error: any Error) -> Bool {
        switch error {
        case MovieFileError.noSpace: true
        case let error as GStreamerError: error.isDiskFull
        default: false
        }
    }

    static func words(_ error: any Error) -> String {
        switch error {
        case MovieFileError.noSpace(_, isQuota: true): "the quota of the disk is used up"
        case MovieFileError.noSpace: "the disk is full"
        case MovieFileError.system(_, .fileTooLarge): "the file cannot grow any further (File too large)"
        case MovieFileError.system(_, let errno): "\(errno)"
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
