import ArgumentParser
import Encoding

/// What holds for encoding options wherever they are given.
enum EncodingRules {
    /// - Throws: `ValidationError` with the cure.
    static func check(
        quality: Int?, bitrate: BitRate?, bitDepth: Int?, profile: ProResProfile?, codec: VideoCodec?
    ) throws {
        if let quality, !(0...100).contains(quality) { throw ValidationError("--quality is a number from 0 to 100.") }
        if quality != nil, bitrate != nil {
            throw ValidationError("--quality and --bitrate cannot be used together; give one.")
        }
        if let bitDepth, bitDepth != 8, bitDepth != 10 { throw ValidationError("--bit-depth is 8 or 10.") }
        if profile != nil, let codec, codec != .prores {
            throw ValidationError("--profile belongs to ProRes; use --codec prores, or leave it out.")
        }
    }
}
