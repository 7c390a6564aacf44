import Foundation
import GStreamer
import SystemPackage

/// What kind of file the input is, as far as its times depend on that.
enum InputContainer: Sendable, Hashable {
    case movie
    case matroska
    case avi
    case transportStream
    case other

    /// By the first bytes of a file that is neither QuickTime nor MP4.
    init(_ location: String) {
        self = .other
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else { return }
        defer { try? file.close() }
        var head = [UInt8](repeating: 0, count: 189)
        guard (try? head.withUnsafeMutableBytes({ try file.read(into: $0) })) == head.count else { return }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { self = .matroska }
        if head.starts(with: "RIFF".utf8), head[8..<12].elementsEqual("AVI ".utf8) { self = .avi }
        if head[0] == 0x47, head[188] == 0x47 { self = .transportStream }
    }

    /// What all times are multiples of, in nanoseconds; 0 where they are as good as exact. A time that is asked for stands
    /// for the nearest of them, as it does with ffmpeg.
    ///
    /// - Parameter rate: of the pictures.
    func tick(_ rate: Fraction?) -> Nanoseconds {
        switch self {
        case .movie, .transportStream: 0
        // As do FLV and ASF.
        case .matroska, .other: .millisecond
        // It has no times but the numbers of its pictures.
        case .avi: rate.flatMap { $0.numerator > 0 ? Nanoseconds(seconds: 1 / $0.doubleValue) : nil } ?? 0
        }
    }
}
