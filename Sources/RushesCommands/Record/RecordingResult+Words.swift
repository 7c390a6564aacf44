import Rushes

extension RecordingResult {
    /// How the take ended, for people: one line, and one more where something went wrong.
    func words(hasPicture: Bool) -> [String] {
        guard let path else {
            return ["rushes: \(Sentence(problem ?? "Nothing was recorded, so there is no file.").text)"]
        }
        var parts = [Words.clock(progress.duration), Words.size(progress.bytes)]
        if hasPicture { parts.insert("\(progress.frames) frames", at: 1) }
        if progress.droppedFrames > 0 { parts.append("\(progress.droppedFrames) frames dropped") }
        let end = reason.words
        // What a disk or a device said may be a sentence already.
        let line = "\(path): \(parts.joined(separator: ", ")); \(end)\(Sentence.isClosed(end) ? "" : ".")"
        guard let problem else { return [line] + losses.map { "rushes: \($0.sentence)" } }
        guard fileIsGood else {
            // Of Matroska there is nothing that could be recovered.
            let isMovieFile = (try? MovieDestination(path).container().isMovieFile) ?? true
            return [
                line,
                isMovieFile
                    ? "rushes: The index could not be written (\(problem)); what is there plays, and can be recovered."
                    : "rushes: The movie may not be whole (\(problem)); what is there plays.",
            ]
        }
        // Why writing failed is in the line already.
        if case .writingFailed = reason { return [line] }
        return [line, "rushes: \(Sentence(problem).text)"]
    }
}

extension RecordingEndReason {
    /// For people, and the event's reason.
    var words: String {
        switch self {
        case .stopped: "stopped"
        case .maximumDurationReached: "the duration is reached"
        case .maximumSizeReached: "the size is reached"
        case .minimumFreeSpaceReached: "the disk is nearly full"
        case .deviceLost(let name, let said): "\(name) was lost: \(said)"
        case .writingFailed(let said): "writing failed: \(said)"
        }
    }
}

extension DeviceLoss {
    /// For people, behind the last line.
    var sentence: String {
        "\(name) was lost at \(Words.clock(time)) (\(words)); what of it is missing is silence."
    }
}
