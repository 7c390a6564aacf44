import Foundation
import TestSupport
import Testing

/// Small movies that other programs made, for the commands that work on files.
enum MovieFixture: String, CaseIterable, Sendable {
    /// In fragments, as a recorder leaves them that was killed.
    case fragments
    /// Finished, with its index at the end.
    case finished
    /// Finished, with its index first.
    case indexFirst
    /// In fragments, and encrypted.
    case encrypted

    /// Two seconds of 50 frames with reordering, and of audio.
    static let frameCount = 50

    /// Makes the movie in a folder, and returns its path.
    @discardableResult
    func make(_ name: String, in folder: TemporaryFolder) async throws -> String {
        let file = folder.file(name)
        try await Fixtures.make(
            file, "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=2", "-f",
                "lavfi",
                "-i", "sine=frequency=440:duration=2", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g",
                "10",
                "-pix_fmt", "yuv420p", "-c:a", "aac",
            ] + options)
        return file
    }

    private var options: [String] {
        let fragments = ["-movflags", "frag_keyframe+delay_moov+default_base_moof"]
        return switch self {
        case .fragments: fragments
        case .finished: []
        case .indexFirst: ["-movflags", "faststart"]
        case .encrypted:
            fragments + [
                "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
                "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
            ]
        }
    }

    /// Overwrites the bytes that follow the first occurrence of a text, such as a box's type.
    static func overwrite(_ file: String, after text: String, at offset: Int = 0, with bytes: [UInt8]) throws {
        let url = URL(filePath: file)
        var data = try Data(contentsOf: url)
        let place = try #require(data.range(of: Data(text.utf8)), "“\(text)” is not in \(file)")
        data.replaceSubrange(place.upperBound + offset..<place.upperBound + offset + bytes.count, with: bytes)
        try data.write(to: url)
    }

    /// Leaves only the beginning of a file.
    static func cut(_ file: String, to share: Double) throws {
        let url = URL(filePath: file)
        let data = try Data(contentsOf: url)
        try data.prefix(Int(Double(data.count) * share)).write(to: url)
    }
}

extension TemporaryFolder {
    /// All files in it, hidden ones too, with what they hold; nil for what is no file.
    var snapshot: [String: Data?] {
        Dictionary(
            uniqueKeysWithValues: contents.map { name in
                var status = stat()
                let isFile = stat(file(name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                return (name, isFile ? try? Data(contentsOf: URL(filePath: file(name))) : nil)
            })
    }
}
