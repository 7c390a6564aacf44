import LiveActivity

/// What a request did, for the person who made it.
enum ControlWords {
    /// - Parameters:
    ///   - text: what was given with the request.
    ///   - title: of the activity.
    ///   - isPaused: whether it was paused then.
    static func done(_ request: ActivityControl, text: String?, title: String, isPaused: Bool = false) -> String {
        switch request {
        case .cancel: "Cancelled \(title)."
        case .pause: "Paused \(title)."
        case .resume: "Resumed \(title)."
        case .start: "Asked \(title) to begin."
        case .save: "Asked \(title) to save its last seconds."
        case .stop: "Stopped \(title); its file is being completed."
        case .split: "Asked \(title) to continue in a new file\(isPaused ? " once it is resumed" : "")."
        case .pin: "\(title) keeps the file it is writing."
        case .set: "Set \(text ?? "") in \(title)."
        case .mute: "Muted \(text ?? "the microphones") in \(title)."
        case .unmute: "Unmuted \(text ?? "the microphones") in \(title)."
        case .mark: text.map { "Marked “\($0)” in \(title)." } ?? "Set a mark in \(title)."
        case .layout: "Changed the layout of \(title) to \(text ?? "the usual one")."
        case .swap: "Swapped the cameras of \(title)."
        case .show:
            text == "all" ? "\(title) shows all cameras again." : "\(title) shows the \(text ?? "main") camera alone."
        case .switchCamera: switched(CameraSwitchRequest(text), title)
        case .snapshot: snapshot(SnapshotRequest(text ?? ""), title)
        @unknown default: "Asked \(title) to \(request.rawValue)."
        }
    }

    private static func switched(_ wish: CameraSwitchRequest, _ title: String) -> String {
        "Asked \(title) to continue with \(wish.camera ?? "the next camera")"
            + (wish.place.map { " in place of \($0)." } ?? ".")
    }

    private static func snapshot(_ wish: SnapshotRequest, _ title: String) -> String {
        let what = wish.count.map { $0 == 1 ? "a photo" : "\($0) photos" } ?? "a photo"
        return "Asked \(title) for \(what)" + (wish.path.map { " as \($0)." } ?? ".")
    }
}
