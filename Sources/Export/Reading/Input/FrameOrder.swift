import GStreamer
import MovieFiles
import SystemPackage
import Workarounds

/// Of a file that does not say when its frames are shown: whether that may be another order than the one they are coded in.
///
/// AVI has the numbers of the frames, in the order of decoding, and a bare stream has nothing. GStreamer (1.22) hands those out as presentation
/// times, so a copy of such frames would show them in a wrong order; decoders put that right.
struct FrameOrder: Sendable {
    /// The first bytes of the first frame.
    private let head: [UInt8]

    /// Codecs whose frames can be predicted from ones that are shown later.
    private static let reordering: Set = [
        "video/x-h264", "video/x-h265", "video/mpeg", "video/x-divx", "video/x-xvid", "video/x-wmv", "video/x-dirac",
    ]
    /// Of a stream: enough for its headers.
    private static let headSize = 4096
    /// Of a file that is damaged nothing is searched for long.
    private static let mostChunks = 10_000

    /// Blocks.
    ///
    /// - Returns: nil of any other file.
    init?(_ location: String, _ container: InputContainer) {
        guard container == .avi || container == .bareStream else { return nil }
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else {
            head = []
            return
        }
        defer { try? file.close() }
        head = (container == .avi ? Self.firstFrame(ofAVI: file) : Self.read(Self.headSize, at: 0, file)) ?? []
    }

    /// Whether a stream of the file may be shown in another order.
    func mayDiffer(_ caps: Caps) -> Bool {
        guard let format = caps.first, Self.reordering.contains(format.name), !format.isOfMicrosoftsFirst else {
            return false
        }
        // HEVC's, MPEG-2's and others' headers do not say it, or are not read here.
        guard let codec = ReorderingCodec(format) else { return true }
        // MPEG-4 may have its headers in those of the file alone.
        let told = codec.told(by: head) ?? (codec == .mpeg4 ? caps.codecData.flatMap { codec.told(by: $0) } : nil)
        return told != 0
    }

    private static func read(_ count: Int, at offset: Int64, _ file: FileDescriptor) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard let read = try? bytes.withUnsafeMutableBytes({ try file.read(fromAbsoluteOffset: offset, into: $0) })
        else { return nil }
        return Array(bytes.prefix(read))
    }

    /// The beginning of the first chunk of frames in the list `movi` (Microsoft's "AVI RIFF File Reference").
    private static func firstFrame(ofAVI file: FileDescriptor) -> [UInt8]? {
        var offset: Int64 = 12
        for _ in 0..<mostChunks {
            guard let head = read(12, at: offset, file), head.count == 12 else { return nil }
            let size = head[4..<8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
            let isList = head.starts(with: "LIST".utf8)
            if isList, ["movi", "rec "].contains(where: { head[8...].elementsEqual($0.utf8) }) {
                offset += 12
            } else if size > 0, ["dc", "db"].contains(where: { head[2..<4].elementsEqual($0.utf8) }) {
                return read(min(headSize, Int(size)), at: offset + 8, file)
            } else {
                offset += 8 + size + size % 2
            }
        }
        return nil
    }
}

extension Structure {
    /// Whether it is MPEG-4 as Microsoft had it before WMV 9, in which no frame is predicted from a later one.
    fileprivate var isOfMicrosoftsFirst: Bool {
        switch name {
        case "video/x-divx": self["divxversion"]?.intValue == 3
        case "video/x-wmv": self["wmvversion"]?.intValue.map { $0 < 3 } ?? false
        default: false
        }
    }
}

extension InputContainer {
    /// How long a frame of a bare stream is shown that tells neither times nor a rate: 25 a second, as other programs take it; nil where
    /// something tells.
    func assumedFrameLength(_ caps: Caps) -> MediaTime? {
        guard self == .bareStream || self == .bareAV1, caps.first?["framerate"]?.fractionValue?.numerator ?? 0 == 0
        else { return nil }
        return 40 * .millisecond
    }
}

extension InputContainer {
    /// How long a frame of a bare stream lasts whose fields are coded one by one; nil of any other. h264parse (1.22) gives each field a packet, and
    /// decoders give frames the times of packets that follow each other, half as long.
    func frameLengthOfFields(_ caps: Caps) -> MediaTime? {
        guard self == .bareStream, let format = caps.first, format["coded-picture-structure"]?.stringValue == "field",
            let rate = format["framerate"]?.fractionValue, rate.numerator > 0
        else { return nil }
        return MediaTime(samples: 1, of: rate)
    }
}

extension InputProperties {
    /// What is said of a rate that nothing tells.
    func assumedRate(_ caps: Caps) -> String? {
        container.assumedFrameLength(caps) == nil
            ? nil : "The stream does not say how many frames a second it has; 25 are assumed."
    }
}
