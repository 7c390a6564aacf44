import GStreamer
import MovieFiles

/// One way of making the output; all stand beside each other over one ``ExportContext``.
protocol ExportStrategy: Sendable {
    /// Writes the file.
    ///
    /// - Returns: nil where the input turns out to need another way; nothing is written then.
    /// - Throws: what makes an export fail.
    func write() async throws -> WrittenMovie?
}

/// What one run has written, before it is checked and named.
struct WrittenMovie: Sendable {
    /// What has to be found in it.
    var expected: OutputCheck.Expected
    /// How many frames it shows, where edits hide some that it has; nil where it shows all.
    var shownFrames: Int?
    /// Bytes.
    var size: Int64
    /// Sentences for people; the first says how it was written.
    var notes: [String]
    var copiesFrames = false
    /// Of ``size``, what the encoder made of the frames, in bytes.
    var frameBytes: Int64 = 0
    /// Which of the input's subtitles are to be put into the file, and when they and those of other files are shown in it; nil where all are
    /// there.
    var subtitles: MovieSubtitles.Part?
    /// The input's time that players show as zero, where ``subtitles`` count otherwise.
    var inputBegin: MediaTime = .zero
    /// Whether the input's are in it already.
    var carriesSubtitles = false
    /// Whether the input's data tracks are to be put into the file.
    var awaitsData = false
    /// Whether the audio of other files is in it already.
    var carriesAddedAudio = false
    /// How long after the movie's beginning its last track begins.
    var latestBeginning: MediaTime = .zero
    /// Whether it tells what the input does, also what a muxer has no names for.
    var isTold = false
    /// That of the first frame, where Matroska is to tell it, whose muxer does not.
    var timeCode: TimeCode?
    /// There is no file; the encoder has learned what its second pass needs.
    var isFirstPass = false
}
