import Foundation

/// ffmpeg's decoders as judges.
public enum FFmpeg {
    /// Decodes every frame and sample of a file; throws with ffmpeg's words where it warns or complains of anything.
    public static func decode(_ file: String, limit: Duration = .seconds(120)) async throws {
        let result = try await Tool.run(
            "ffmpeg",
            ["-nostdin", "-v", "warning", "-i", file, "-map", "0:v?", "-map", "0:a?"]
                // The file's own times: at a constant rate two frames of a stuttering camera fall on one tick, of which it warns.
                + ["-fps_mode", "passthrough", "-enc_time_base", "-1", "-f", "null", "-"],
            limit: limit)
        guard result.status == 0, result.errors.isEmpty else {
            throw ToolError.unexpectedOutput(result, "ffmpeg has something to say about \(file)")
        }
    }

    /// The audio of a file as mono samples in -1…1.
    ///
    /// - Parameters:
    ///   - track: which of its audio tracks, from 0.
    ///   - rate: Samples per second to convert to.
    ///   - channel: Only this channel; nil mixes all of them.
    ///   - start: Seconds to leave out before; `duration`: seconds to take.
    public static func audio(
        of file: String, track: Int = 0, rate: Int = 16000, channel: Int? = nil, start: Double = 0,
        duration: Double? = nil
    ) async throws -> [Float] {
        var arguments = ["-nostdin", "-v", "error", "-i", file, "-map", "0:a:\(track)", "-ss", "\(start)"]
        if let duration { arguments += ["-t", "\(duration)"] }
        if let channel { arguments += ["-af", "pan=mono|c0=c\(channel)"] }
        arguments += ["-ac", "1", "-ar", "\(rate)", "-f", "s16le", "-"]
        let result = try await Tool.succeed("ffmpeg", arguments)
        return result.output.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map { index in
                Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))) / 32768
            }
        }
    }

    /// How near a movie's frames are to a reference's, frame by frame, in decibels; infinite where they are equal.
    public static func psnr(of file: String, reference: String) async throws -> Double {
        try await compare(file, reference, filter: "psnr", marker: "average:")
    }

    /// The same as structural similarity, 0…1.
    public static func ssim(of file: String, reference: String) async throws -> Double {
        try await compare(file, reference, filter: "ssim", marker: "All:")
    }

    private static func compare(_ file: String, _ reference: String, filter: String, marker: String) async throws
        -> Double
    {
        // Compared by frame number: capture times of the two need not be equal.
        let graph = "[0:v]settb=1/25,setpts=N[a];[1:v]settb=1/25,setpts=N[b];[a][b]\(filter)"
        let result = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "info", "-i", file, "-i", reference, "-lavfi", graph, "-f", "null", "-"],
            limit: .seconds(300))
        guard let range = result.errors.range(of: marker, options: .backwards) else {
            throw ToolError.unexpectedOutput(result, "no \(filter) in it")
        }
        let word = result.errors[range.upperBound...].prefix { !$0.isWhitespace }
        guard let value = word == "inf" ? .infinity : Double(word) else {
            throw ToolError.unexpectedOutput(result, "no \(filter) in it")
        }
        return value
    }
}
