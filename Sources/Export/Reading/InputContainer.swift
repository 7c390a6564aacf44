import Foundation
import GStreamer
import SystemPackage

/// What kind of file the input is, as far as its times depend on that.
enum InputContainer: Sendable, Hashable {
    case movie
    case matroska
    case avi
    case wav
    /// A transport or a program stream (ISO/IEC 13818-1).
    case mpegStream
    case other

    /// By the first bytes of a file that is neither QuickTime nor MP4.
    init(_ location: String) {
        self = .other
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else { return }
        defer { try? file.close() }
        var head = [UInt8](repeating: 0, count: 197)
        guard (try? head.withUnsafeMutableBytes({ try file.read(into: $0) })) == head.count else { return }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { self = .matroska }
        if head.starts(with: "RIFF".utf8), head[8..<12].elementsEqual("AVI ".utf8) { self = .avi }
        if ["RIFF", "RF64"].contains(where: { head.starts(with: $0.utf8) }), head[8..<12].elementsEqual("WAVE".utf8) {
            self = .wav
        }
        // Cameras and discs put four bytes before each packet.
        if [(0, 188), (4, 196)].contains(where: { head[$0] == 0x47 && head[$1] == 0x47 }) { self = .mpegStream }
        if head.starts(with: [0, 0, 1, 0xBA]) { self = .mpegStream }
    }

    /// Whether a time that is asked for counts from the file's first packet, as it does with ffmpeg, and not from the first
    /// sample that is decoded. GStreamer's demuxers of streams (1.22) let the sound begin with the first picture, and AVI's first
    /// picture comes out of its decoder later than it went in.
    var countsFromFirstPacket: Bool { self == .mpegStream || self == .avi }

    /// Whether its sound has no times, only a length. GStreamer's demuxer (1.22) makes them of the bytes a second in its head, which
    /// ffmpeg (5.1) writes twice as large for IMA ADPCM.
    var countsSound: Bool { self == .wav }

    /// What all times are multiples of, in nanoseconds; 0 where they are as good as exact. A time that is asked for stands
    /// for the nearest of them, as it does with ffmpeg.
    ///
    /// - Parameter rate: of the pictures.
    func tick(_ rate: Fraction?) -> Nanoseconds {
        switch self {
        case .movie, .mpegStream: 0
        // As do FLV and ASF.
        case .matroska, .wav, .other: .millisecond
        // It has no times but the numbers of its pictures.
        case .avi: rate.flatMap { $0.numerator > 0 ? Nanoseconds(seconds: 1 / $0.doubleValue) : nil } ?? 0
        }
    }
}
