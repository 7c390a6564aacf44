import GStreamer
import MediaTypes

extension RunningRecording {
    /// When the movie begins, on the timeline of the encoders.
    enum StartPoint: Sendable, Equatable {
        /// With the first sample.
        case atOnce
        /// Once somebody asks for it.
        case standby
        /// With what comes from a time on, and lasts so long from there.
        case from(MediaTime, lasting: MediaTime?)

        /// Whether a sample of a time is in the movie, but for what lies before its start.
        func isReached(by time: MediaTime) -> Bool {
            switch self {
            case .atOnce: true
            case .standby: false
            case .from(let begin, _): time >= begin
            }
        }
    }
}
