import LiveActivity
import MediaTypes
package import SystemPackage

/// What a timelapse from a camera reports while it runs. `finished` is the last.
package enum TimelapseEvent: Sendable {
    /// The camera runs and the file is open; where that is, what was chosen in one line for people, and how many shots it has from before.
    case started(FilePath, summary: String, shotsBefore: Int)
    case progress(TimelapseProgress)
    case paused, resumed
    /// Something to know that does not end it.
    case warning(String)
    /// What was made beside the movie.
    case note(String)
    /// Somebody gave the file, or its folder, another name; the shots continue there.
    case moved(FilePath)
    /// A file is complete that another one has followed.
    case finishedPart(RecordingPart)
    case finishing
    case finished(RecordingResult, TimelapseProgress)
}

extension Mailbox where Element == TimelapseEvent {
    /// For a listener that may be slow: progress that was not read is replaced by the next, nothing else is ever lost.
    convenience init() {
        self.init(capacity: 1) { new, waiting in
            if case .progress = new, case .progress = waiting { true } else { false }
        }
    }
}
