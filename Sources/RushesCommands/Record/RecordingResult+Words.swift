import Rushes

extension RecordingResult {
    /// How the take ended, for people: one line, and one more where something went wrong.
    func words(hasVideo: Bool) -> [String] {
        guard let path else {
            if !hasBegun, reason.isIntended { return [problem ?? "The recording was not started."] }
            return ["rushes: \(Sentence(problem ?? "Nothing was recorded, so there is no file.").text)"]
        }
        // What is told of the cameras' own movies has their numbers.
        let bytes = progress.bytes - cameraMovies.reduce(0) { $0 + $1.bytes }
        var parts = [Words.clock(progress.duration), Words.size(bytes)]
        if hasVideo { parts.insert(Words.count(progress.frames, "frame"), at: 1) }
        let dropped = progress.droppedFrames - framesDroppedElsewhere
        if dropped > 0 { parts.append("\(Words.count(dropped, "frame")) dropped") }
        let end = reason.words
        // What a disk or a device said may be a sentence already.
        let count = self.parts.count + deletedFiles + 1
        let gone = deletedFiles > 0 ? " \(deletedFiles) of them deleted," : ""
        let files = count == 1 ? "\(path)" : "\(count) files,\(gone) the last \(path)"
        let line = "\(files): \(parts.joined(separator: ", ")); \(end)\(Sentence.isClosed(end) ? "" : ".")"
        let projects = projectFiles.map(\.string).joined(separator: " and ")
        let own =
            cameraMovies.map(\.cameraWords)
            + (projects.isEmpty
                ? [] : ["\(projects) \(projectFiles.count == 1 ? "holds" : "hold") the same for editing."])
        let told = own + losses.map { "rushes: \($0.sentence)" }
        guard let problem else {
            guard case .fileLost = reason else { return [line] + told }
            return [line, "rushes: What was recorded until then is kept as \(path)."] + told
        }
        guard isPlayable else {
            let cure = "what is there can be played, and 'rushes recover' completes it"
            let why = Sentence.isClosed(problem) ? String(problem.dropLast()) : problem
            return [line, "rushes: The movie could not be completed (\(why)); \(cure)."] + told
        }
        return [line, "rushes: \(Sentence(problem).text)"] + told
    }
}

extension RecordingPart {
    /// What became of a camera's own movie, in a line for people.
    var cameraWords: String {
        guard let path else {
            let reason = Sentence(problem ?? "no frame came").text
            return "rushes: \(camera ?? "A camera") has no movie of its own: \(reason)"
        }
        let dropped = droppedFrames > 0 ? ", \(Words.count(droppedFrames, "frame")) dropped" : ""
        let line = "\(path): \(Words.count(frames, "frame")), \(Words.size(bytes))\(dropped)."
        return problem.map { "\(line) \(Sentence($0).text)" } ?? line
    }

    /// What became of a part, in a sentence for people.
    var words: String {
        guard let path else { return Sentence(problem ?? "A part was lost.").text }
        let place = next.map { "; recording continues in \($0)" } ?? ""
        let problem = problem.map { " \(Sentence($0).text)" } ?? ""
        return "\(path): \(Words.clock(duration)), \(Words.size(bytes))\(place).\(problem)"
    }

    /// Why an old file is not there any more.
    var deletedWords: String {
        "Deleted \(path?.lastComponent.map { Sentence.printable($0.string) } ?? "a file"), \(Words.size(bytes)): the files were larger than --keep allows."
    }

    /// What became of the last seconds that were saved, in a sentence for people.
    var savedWords: String {
        let problem = problem.map { " \(Sentence($0).text)" } ?? ""
        return
            "Saved \(path.map { "\($0)" } ?? "nothing"): \(Words.clock(duration)), \(Words.size(bytes)).\(problem)"
    }
}

extension RecordingEndReason {
    /// For people, and the event's reason.
    var words: String {
        switch self {
        case .stopped: "stopped"
        case .maximumDurationReached: "time limit reached"
        case .maximumSizeReached: "size limit reached"
        case .minimumFreeSpaceReached: "disk nearly full"
        case .deviceLost(let name, let said): "\(name) was lost: \(said)"
        case .writingFailed(let said): "writing failed: \(said)"
        case .fileLost(let words): words
        }
    }
}

extension DeviceLoss {
    /// For people, behind the last line.
    var sentence: String {
        let lost = "\(name) was lost at \(Words.clock(time)) (\(words))"
        if let end {
            let back = Words.clock(end)
            return successor.map { "\(lost); \($0) is recorded from \(back) on." }
                ?? "\(lost) and came back at \(back)."
        }
        return "\(lost); \(kind == .camera ? "its frames are missing from there on" : "the rest is silence")."
    }
}
