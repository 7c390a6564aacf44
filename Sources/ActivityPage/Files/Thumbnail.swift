import Foundation

/// The frame of an activity, read from the file that its state names.
///
/// The name comes from another process, so nothing is served that is not a plain file with a frame in it.
struct Thumbnail {
    let data: Data
    let contentType: String

    /// Thumbnails are a few kilobytes; what is larger is something else.
    static let byteLimit = 2 << 20

    /// May block on the disk.
    init?(path: String) {
        guard path.hasPrefix("/") else { return nil }
        // No links: the file named and no other. Not blocking: a pipe without a writer would hold the thread.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.byteLimit,
            let data = try? file.read(upToCount: Self.byteLimit), let type = Self.contentType(of: data)
        else { return nil }
        self.data = data
        contentType = type
    }

    /// By its first bytes, as browsers know them (WHATWG MIME Sniffing, image types).
    static func contentType(of data: Data) -> String? {
        let head = [UInt8](data.prefix(12))
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if head.starts(with: Array("RIFF".utf8)), head.suffix(4) == Array("WEBP".utf8)[...] { return "image/webp" }
        return nil
    }
}
