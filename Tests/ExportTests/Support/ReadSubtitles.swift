import Foundation
import TestSupport

/// Subtitles as ffmpeg reads them from a file.
enum ReadSubtitles {
    /// Times in tenths of a second, as what primes the audio moves them by some hundredths, and the text, such as "2-6 One".
    ///
    /// - Parameters:
    ///   - track: its number among those of subtitles, from 0.
    ///   - keepsPlaces: whether words on where a text is shown, such as {\an8}, are taken for text.
    static func texts(of file: String, track: Int = 0, keepsPlaces: Bool = true) async throws -> [String] {
        let text = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-map", "0:s:\(track)", "-c:s", "srt", "-f", "srt", "-"]
        ).text.replacing("\r\n", with: "\n")
        let found = text.matches(of: #/00:00:(0[0-9]),([0-9]{3}) --> 00:00:(0[0-9]),([0-9]{3})\n((?:.+\n)+)/#)
        func tenths(_ seconds: Substring, _ milliseconds: Substring) -> Int {
            Int(((Double("\(seconds).\(milliseconds)") ?? 0) * 10).rounded())
        }
        return found.map { cue in
            "\(tenths(cue.1, cue.2))-\(tenths(cue.3, cue.4)) "
                + cue.5.replacing(#/<[^>]*>/#, with: "").replacing(keepsPlaces ? #/<>/# : #/\{\\an[0-9]\}/#, with: "")
                .trimmingCharacters(in: .newlines).replacing("\n", with: "|")
        }
    }
}
