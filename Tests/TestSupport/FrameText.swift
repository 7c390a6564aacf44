import Foundation

/// Text that is drawn into frames, read by tesseract.
public enum FrameText {
    /// Figures, a date or a time in the lower left corner of a frame of 720 rows.
    ///
    /// - Parameters:
    ///   - number: of the frame, from 0.
    ///   - folder: for the image that is read.
    public static func figures(inFrame number: Int, of movie: String, by folder: TemporaryFolder) async throws -> String
    {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-i", movie]
                + ["-vf", "select='eq(n,\(number))',crop=700:80:0:640", "-frames:v", "1", folder.file("words.png")])
        let read = try await Tool.succeed(
            "tesseract",
            [folder.file("words.png"), "-", "--psm", "7", "-c", "tessedit_char_whitelist=0123456789-: "])
        return read.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
