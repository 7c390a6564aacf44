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
    /// FLAC without a container, whose head says how many samples there are.
    case flac
    /// A transport or a program stream (ISO/IEC 13818-1).
    case mpegStream
    /// A transport stream that begins with something else, as where a broadcast was disturbed. GStreamer's typefinder (1.22) takes
    /// it for what its packets hold.
    case disturbedStream
    case gif
    /// Musepack, which is audio. GStreamer's decoder (1.22) reads the file itself, from place to place, and gives nothing behind a demuxer,
    /// and of version 8 one frame behind that of ID3 tags.
    case musepack
    /// AC-3 without a container at half of its usual rates (`bsid` 9 or 10), which GStreamer's typefinder (1.22) does not know.
    case halfRateAC3
    /// H.264, HEVC, MPEG-4 or MPEG-2 without a container, which begins with a start code.
    case bareStream
    /// AV1 without a container (its specification, 5.2), which GStreamer's typefinder (1.22) does not know.
    case bareAV1
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
        // Of version 8 and of those before it, and AC-3 as said by its first frame (ETSI TS 102 366, 4.3 and annex F).
        if count > 5, head.starts(with: [0x0B, 0x77]), [9, 10].contains(head[5] >> 3) { self = .halfRateAC3 }
        // The number of samples stands in 36 bits of the first block, 0 where whoever wrote it could not go back (RFC 9639, section 8.2).
        if count > 26, head.starts(with: "fLaC".utf8),
            head[21] & 0x0F != 0 || head[22..<26].contains(where: { $0 != 0 })
        {
            self = .flac
        }
        if ["MPCK", "MP+", "ID3"].contains(where: { head.starts(with: $0.utf8) }),
            (try? MusepackFile(reading: FilePath(location))) != nil
        {
            self = .musepack
        }
        // A temporal delimiter without content, and the head of a sequence (AV1, 5.3.1 and 7.5).
        if head.starts(with: [0x12, 0]), count > 2, [0x0A, 0x0E].contains(head[2]) { self = .bareAV1 }
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

    /// Whether the times of its packets begin anywhere, so that they count from its first one.
    var beginsAnywhere: Bool { isTransport || self == .other }

    var isTransport: Bool { self == .mpegStream || self == .disturbedStream }

    /// What the file is, where GStreamer would not find that out.
    var caps: String? {
        switch self {
        case .disturbedStream: "video/mpegts,systemstream=true"
        case .halfRateAC3: "audio/x-ac3"
        case .bareAV1: "video/x-av1,stream-format=(string)obu-stream"
        default: nil
        }
    }

    /// What reads and decodes the file in place of a demuxer.
    var decoder: String? { self == .musepack ? "musepackdec" : nil }

    /// Whether a stream of its audio has no times, only a length. GStreamer's demuxers (1.22) make them of the bytes a second in its head, which
    /// ffmpeg (5.1) writes twice as large for IMA ADPCM, and of ADPCM in AVI as if each block were half as long.
    func countsAudio(_ caps: Caps) -> Bool {
        self == .wav || self == .avi && caps.first?.name == "audio/x-adpcm"
    }

    /// What all times are multiples of, in nanoseconds; 0 where they are as good as exact. A time that is asked for stands
    /// for the nearest of them, as it does with ffmpeg.
    ///
    /// - Parameter rate: of the frames.
    func tick(_ rate: Fraction?) -> MediaTime {
        switch self {
        case .movie, .mpegStream, .disturbedStream, .gif: .zero
        // As do FLV and ASF.
        case .matroska, .wav, .flac, .musepack, .halfRateAC3, .bareStream, .bareAV1, .other: .millisecond
        // It has no times but the numbers of its frames.
        case .avi: rate.flatMap { $0.numerator > 0 ? MediaTime(seconds: 1 / $0.doubleValue) : nil } ?? .zero
        }
    }
}
