import Errors

/// What each limit may be, whoever sets it.
extension RecordingLimits {
    /// A frame at 25 a second.
    package static let shortestRecording = Duration.milliseconds(40)
    /// Of a part, and of what is kept for a replay: a key frame's distance.
    package static let shortestPart = Duration.seconds(1)
    /// In bytes, of a recording and of a part: a few fragments, and the index.
    package static let smallestFile: Int64 = 1_000_000

    /// - Throws: ``RushesError`` for a limit under which a recording could not be, or would be parts alone.
    func checkRanges() throws(RushesError) {
        let problem: String? =
            if let maxRecordedDuration, maxRecordedDuration < Self.shortestRecording {
                "A recording lasts at least 40 milliseconds."
            } else if let maxRecordedFileSize, maxRecordedFileSize < Self.smallestFile {
                "A recording has at least 1 MB."
            } else if let maxPartDuration, maxPartDuration < Self.shortestPart {
                "A part of a recording lasts at least one second."
            } else if let maxPartFileSize, maxPartFileSize < Self.smallestFile {
                "A part of a recording has at least 1 MB."
            } else if let maxReplayDuration, maxReplayDuration < Self.shortestPart {
                "A replay keeps at least one second."
            } else if let maxKeptFileSize { keptProblem(maxKeptFileSize) } else { nil }
        if let problem { throw RushesError(.invalidSettings, problem) }
    }

    private func keptProblem(_ size: Int64) -> String? {
        guard maxPartDuration != nil || maxPartFileSize != nil else {
            return "Only a recording in parts has old files to delete; say how long or large a part is."
        }
        let isEnough = size / 2 >= max(maxPartFileSize ?? Self.smallestFile, Self.smallestFile)
        return isEnough ? nil : "What is kept must hold at least two parts of 1 MB or more."
    }
}
