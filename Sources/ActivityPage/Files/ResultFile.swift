import Foundation
import LiveActivity

/// The movie that an activity made, as the page may serve it: open, so that what was looked at is what is sent.
final class ResultFile: Sendable {
    let contentType: String
    /// What it is called where it is saved.
    let name: String
    /// Bytes.
    let size: Int64
    /// Tells it from what has its name later (RFC 9110, `ETag`).
    let tag: String
    private let descriptor: Int32

    /// What Rushes makes; nothing else is served, whatever a state says.
    static let contentTypes = [
        "mov": "video/quicktime", "mp4": "video/mp4", "m4v": "video/mp4", "m4a": "audio/mp4",
        "mkv": "video/x-matroska", "mka": "audio/x-matroska", "webm": "video/webm", "wav": "audio/wav",
        "flac": "audio/flac", "mp3": "audio/mpeg", "opus": "audio/ogg", "ogg": "audio/ogg", "oga": "audio/ogg",
        "gif": "image/gif",
    ]

    /// Nil unless the activity ended well with a movie that is there. May block on the disk.
    init?(_ event: ActivityEvent) {
        let state = event.contentState
        guard event.event == .end, state.phase == .finished || state.fileIsGood == true, let output = state.output,
            // A path that is not UTF-8 comes as a file: URL.
            let url = output.hasPrefix("file:") ? URL(string: output) : URL(filePath: output),
            output.hasPrefix("file:") || output.hasPrefix("/"),
            let type = Self.contentTypes[url.pathExtension.lowercased()]
        else { return nil }
        // No links: the file named and no other. Not blocking: a pipe without a writer would hold the thread.
        let number = url.withUnsafeFileSystemRepresentation { path in
            path.map { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) } ?? -1
        }
        guard number >= 0 else { return nil }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(number)
            return nil
        }
        descriptor = number
        contentType = type
        name = url.lastPathComponent
        size = Int64(status.st_size)
        tag = "\"\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)\""
    }

    deinit { close(descriptor) }

    /// Blocks on the disk.
    ///
    /// - Returns: fewer bytes than asked for at the file's end; `nil` where it cannot be read.
    func read(at offset: Int64, count: Int) -> [UInt8]? {
        var result = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            result = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            filled = max(0, result)
        }
        return result < 0 ? nil : bytes
    }
}

/// A file of the page itself; they are compiled in, so the page is there wherever the program was put.
struct PageFile {
    let data: Data
    let contentType: String

    static let index = PageFile(data: Data(PackageResources.index_html), contentType: "text/html; charset=utf-8")

    /// Under `/page/`.
    static let parts: [String: PageFile] = [
        "page.css": PageFile(data: Data(PackageResources.page_css), contentType: "text/css; charset=utf-8"),
        "icon.svg": PageFile(data: Data(PackageResources.icon_svg), contentType: "image/svg+xml"),
        "page.js": script(PackageResources.page_js),
        "model.js": script(PackageResources.model_js),
        "stream.js": script(PackageResources.stream_js),
        "card.js": script(PackageResources.card_js),
        "controls.js": script(PackageResources.controls_js),
        "words.js": script(PackageResources.words_js),
        "dismissed.js": script(PackageResources.dismissed_js),
    ]

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile(data: Data(bytes), contentType: "text/javascript; charset=utf-8")
    }
}
