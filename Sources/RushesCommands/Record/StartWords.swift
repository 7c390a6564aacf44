import MediaTypes

/// What is said when a recording has begun: where from, how encoded, and how it ends.
struct StartWords {
    let lines: [String]

    /// - Parameters:
    ///   - sources: the devices and their modes.
    ///   - encoding: what was chosen.
    ///   - deletesFiles: whether old files give way to new ones.
    ///   - hasKeys: whether keys of the terminal are taken.
    init(
        path: String, sources: [String], encoding: String, cameras: Int, microphones: Int = 0, hasLimit: Bool,
        hasKeys: Bool, deletesFiles: Bool = false
    ) {
        let photo = (cameras > 0 ? "p takes a photo, " : "") + (microphones > 0 ? "a mutes, " : "")
        var lines = ["Recording \(path): \(sources.joined(separator: "; ")).", "Encoding: \(encoding)."]
        if hasKeys {
            let own =
                cameras > 1
                ? "s swaps cameras, 1 to 7 choose a layout, 8 and 9 show one camera, 0 shows all"
                : "n starts the next file"
            let keep = deletesFiles ? ", k keeps this one" : ""
            lines.append("Keys: q stops, space pauses, m marks a chapter, \(photo)\(own)\(keep).")
        } else if !hasLimit {
            lines.append("Press Ctrl-C to stop.")
        }
        self.lines = lines
    }

    /// The same for a recording that waits for its start.
    ///
    /// - Parameters:
    ///   - preRoll: how much of what precedes the start is recorded.
    ///   - id: of its activity.
    ///   - trigger: what it is begun by.
    init(
        waitingFor path: String, sources: [String], encoding: String, preRoll: Duration, id: String?, hasKeys: Bool,
        trigger: String? = nil
    ) {
        let before = preRoll > .zero ? ", beginning \(Words.clock(MediaTime(preRoll))) before the start" : ""
        let elsewhere = "'rushes control \(id?.prefix(8) ?? "ID") start'"
        lines = [
            "Ready to record \(path)\(before): \(sources.joined(separator: "; ")).", "Encoding: \(encoding).",
            trigger.map {
                "\($0) starts it; \(hasKeys ? "Return or r" : elsewhere) too, \(hasKeys ? "q" : "Ctrl-C") ends it."
            }
                ?? (hasKeys
                    ? "Keys: Return or r starts, q ends; \(elsewhere) starts too."
                    : "\(elsewhere) starts it, Ctrl-C ends it."),
        ]
    }
}
