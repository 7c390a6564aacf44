import Foundation
import GStreamer
import MovieFiles
import SystemPackage

/// What kind of file the input is, as far as its times depend on that.
enum InputContainer: Sendable, Hashable {
    case movie
    case matroska
    case avi
    case wav
    /// A transport or a program stream (ISO/IEC 13818-1).
    case mpegStream
    /// A transport stream that begins with something else, as where a broadcast was disturbed. GStreamer's typefinder (1.22) takes
    /// it for what its packets hold.
    case disturbedStream
    case gif
    /// H.264, HEVC, MPEG-4 or MPEG-2 without a container, which begins with a start code.
    case bareStream
    case other

    /// By the first bytes of a file that is neither QuickTime nor MP4.
    init(_ location: String) {
        self = .other
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else { return }
        defer { try? file.close() }
        var head = [UInt8](repeating: 0, count: TransportPackets.searched + 1024)
        guard let count = try? head.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return }
        head.removeLast(head.count - count)
        if GIFIndex.begins(head) { self = .gif }
        guard count > 197 else { return }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { self = .matroska }
        if head.starts(with: "RIFF".utf8), head[8..<12].elementsEqual("AVI ".utf8) { self = .avi }
        if ["RIFF", "RF64"].contains(where: { head.starts(with: $0.utf8) }), head[8..<12].elementsEqual("WAVE".utf8) {
            self = .wav
        }
        if head.starts(with: [0, 0, 1]) || head.starts(with: [0, 0, 0, 1]) { self = .bareStream }
        if head.starts(with: [0, 0, 1, 0xBA]) { self = .mpegStream }
        // What a broadcast was recorded from may begin anywhere.
        if self == .other, let (start, _) = TransportPackets.first(in: head) {
            self = start == 0 || start == 4 ? .mpegStream : .disturbedStream
        }
    }

    /// Whether a time that is asked for counts from the file's first packet, as it does with ffmpeg, and not from the first
    /// sample that is decoded. GStreamer's demuxers of streams (1.22) let the audio begin with the first frame, and AVI's first
    /// frame comes out of its decoder later than it went in.
    var countsFromFirstPacket: Bool { isTransport || self == .avi }

    var isTransport: Bool { self == .mpegStream || self == .disturbedStream }

    /// What the file is, where GStreamer would not find that out.
    var caps: String? { self == .disturbedStream ? "video/mpegts,systemstream=true" : nil }

    /// Whether its audio has no times, only a length. GStreamer's demuxer (1.22) makes them of the bytes a second in its head, which
    /// ffmpeg (5.1) writes twice as large for IMA ADPCM.
    var countsAudio: Bool { self == .wav }

    /// What all times are multiples of, in nanoseconds; 0 where they are as good as exact. A time that is asked for stands
    /// for the nearest of them, as it does with ffmpeg.
    ///
    /// - Parameter rate: of the frames.
    func tick(_ rate: Fraction?) -> MediaTime {
        switch self {
        case .movie, .mpegStream, .disturbedStream, .gif: .zero
        // As do FLV and ASF.
        case .matroska, .wav, .bareStream, .other: .millisecond
        // It has no times but the numbers of its frames.
        case .avi: rate.flatMap { $0.numerator > 0 ? MediaTime(seconds: 1 / $0.doubleValue) : nil } ?? .zero
        }
    }
}
