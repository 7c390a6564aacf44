import LiveActivity

/// What a request did, for the person who made it.
enum ControlWords {
    /// - Parameters:
    ///   - text: what was given with the request.
    ///   - title: of the activity.
    static func done(_ request: ActivityControl, text: String?, title: String) -> String {
        switch request {
        case .cancel: "Cancelled \(title)."
        case .pause: "Paused \(title)."
        case .resume: "Resumed \(title)."
        case .start: "Started \(title)."
        case .save: "Asked \(title) to save its last seconds."
        case .stop: "Stopped \(title); its file is being completed."
        case .split: "\(title) continues in a new file."
        case .pin: "\(title) keeps the file it is writing."
        case .mark: text.map { "Marked “\($0)” in \(title)." } ?? "Set a mark in \(title)."
        case .layout: "Changed the layout of \(title) to \(text ?? "the usual one")."
        case .swap: "Swapped the cameras of \(title)."
        case .show:
            text == "all" ? "\(title) shows all cameras again." : "\(title) shows the \(text ?? "main") camera alone."
        case .snapshot: "Asked \(title) to save its last shot" + (text.map { " as \($0)." } ?? ".")
        @unknown default: "Asked \(title) to \(request.rawValue)."
        }
    }
}
