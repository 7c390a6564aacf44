import Foundation
import LiveActivity

/// The movie that an activity made, as the page may serve it.
struct ResultFile {
    let url: URL
    let contentType: String

    /// What Rushes makes; nothing else is served, whatever a state says.
    private static let contentTypes = [
        "mov": "video/quicktime", "mp4": "video/mp4", "m4v": "video/mp4", "m4a": "audio/mp4",
        "mkv": "video/x-matroska", "mka": "audio/x-matroska", "webm": "video/webm",
    ]

    /// Nil unless the activity ended well with a movie that is there.
    init?(_ event: ActivityEvent) {
        let state = event.contentState
        guard event.event == .end, state.phase == .finished || state.fileIsGood == true, let output = state.output,
            // A path that is not UTF-8 comes as a file: URL.
            let url = output.hasPrefix("file:") ? URL(string: output) : URL(filePath: output),
            output.hasPrefix("file:") || output.hasPrefix("/"),
            let type = Self.contentTypes[url.pathExtension.lowercased()]
        else { return nil }
        var facts = stat()
        guard lstat(url.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.url = url
        contentType = type
    }
}
