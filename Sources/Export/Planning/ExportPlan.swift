import Encoding
import GStreamer
import MovieFiles

/// Everything that is needed to write one export: a value, which can be printed as a pipeline.
struct ExportPlan: Sendable {
    var movie: MoviePlan
    var options = MovieFileWriter.Options()
    /// The choice in one line for people.
    var summary: String
    var notes: [String] = []
    /// Whether a hardware encoder is to write, whose failure another one can mend.
    var usesHardware = false
    /// The first of two passes, which writes no file.
    var isFirstPass = false
    /// Which part of the whole work it is, from 0 to 1, and that in words.
    var share = 0.0..<1
    var step: String?
    /// Frames a second of the audio tracks that are encoded; empty where some are copied.
    var audioRates: [Int] = []
    /// By how much frames and text are shown later, in nanoseconds, as the audio's encoder puts something in front that no
    /// edit list takes away.
    var delay: MediaTime = .zero
}
