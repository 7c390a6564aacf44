import MovieFiles

/// What became of one item so far, as the batch's folder keeps it.
struct BatchRecord: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable {
        case running
        /// The output is complete and verified, and about to get its name.
        case finishing
        case done, failed, cancelled

        /// Whether nobody works on it.
        var isOver: Bool { self == .done || self == .failed || self == .cancelled }
    }

    var state: State
    /// As ``SystemPackage/FilePath/wireText`` has it.
    var input: String
    /// The input when the export began; `nil` where there was none.
    var source: FileIdentity?
    /// What was drawn into it, likewise.
    var insets: [FileIdentity]?
    var settings: ExportSettings
    /// The output, from `finishing` on: a rename keeps all of it.
    var result: FileIdentity?
    /// The output of an earlier run, which this one may replace.
    var previous: FileIdentity?
    /// How often it was begun, which is the latest attempt's number, and completed. A batch that was killed begins again what
    /// was not complete, and only that.
    var starts = 0
    var completions = 0
    /// The latest ones, in order.
    var attempts: [BatchAttempt]?
    /// Why it failed.
    var reason: String?
    /// Whether the frames are the input's own.
    var copiesFrames = false
    /// What was copied, left out or done otherwise than asked.
    var notes: [String] = []

    init(state: State, input: String, source: FileIdentity?, insets: [FileIdentity]?, settings: ExportSettings) {
        (self.state, self.input, self.source, self.insets, self.settings) = (state, input, source, insets, settings)
    }

    /// Whether the output is that of this input, as it is now, and of these settings.
    func fits(input: String, source: FileIdentity?, insets: [FileIdentity]?, settings: ExportSettings) -> Bool {
        // An input that was taken away after it was done has not changed; a shared disk may be mounted elsewhere.
        self.settings == settings && (source == nil ? self.input == input : source == self.source)
            && (insets == nil || insets == self.insets)
    }
}
