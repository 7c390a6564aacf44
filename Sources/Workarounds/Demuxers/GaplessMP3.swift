package import GStreamer
import Threads

/// GStreamer 1.22, mpegaudioparse: goes with the version that knows the names that ffmpeg writes; `WorkaroundTests` “mpegaudioparse, what primes an MP3 of ffmpeg”.
///
/// What tells of an MP3 which of its samples only prime the decoder or fill up its last frame, so that neither is played.
///
/// LAME writes it into a first frame without audio ("Mp3 Info Tag"). ffmpeg does the same under names of its own, which GStreamer's parser (1.22)
/// does not know: it is told LAME's.
package enum GaplessMP3 {
    /// What ffmpeg's libraries write in the place of LAME's name.
    private static let names = ["Lavf", "Lavc"].map { Array($0.utf8) }
    private static let name = Array("LAME".utf8)

    /// - Parameter element: what `parsebin` puts into itself.
    package static func read(_ element: Element) {
        guard element.factoryName == "mpegaudioparse" else { return }
        let isFirst = Locked(true)
        _ = element.pad("sink")?.addBufferEditor { buffer in
            let begins = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard begins, let place = (try? buffer.withBytes { place(in: $0) }) ?? nil else { return }
            try? buffer.withMutableBytes { bytes in
                for (index, letter) in name.enumerated() { bytes[place + index] = letter }
            }
        }
    }

    /// Where one of ffmpeg's names stands in the first frame; nil where none does.
    static func place(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let place = tagPlace(in: bytes) else { return nil }
        return names.contains { bytes.dropFirst(place).prefix(4).elementsEqual($0) } ? place : nil
    }

    /// What decoders give before an MP3's audio, in samples, as the first frame tells: what LAME put in front, and what any decoder is late. 0 where
    /// it does not tell that.
    ///
    /// - Parameter bytes: of the first frame.
    /// - Returns: nil for a frame that is audio itself.
    package static func priming(toldBy bytes: UnsafeRawBufferPointer) -> Int? {
        guard let place = tagPlace(in: bytes) else { return nil }
        guard place + 24 <= bytes.count,
            (names + [name]).contains(where: { bytes[place..<place + 4].elementsEqual($0) })
        else { return 0 }
        return Int(bytes[place + 21]) << 4 + Int(bytes[place + 22]) >> 4 + decoderDelay
    }

    /// Of MP3's hybrid filter bank, in samples.
    private static let decoderDelay = 529

    /// Where LAME's name would stand in the first frame; nil where that is no such one.
    private static func tagPlace(in bytes: UnsafeRawBufferPointer) -> Int? {
        // Behind the frame's head and what describes its audio (ISO/IEC 11172-3 and 13818-3): 9 to 32 bytes.
        let begins = (13...36).first { begin in
            ["Xing", "Info"].contains { bytes.dropFirst(begin).prefix(4).elementsEqual($0.utf8) }
        }
        guard let begins, begins + 8 < bytes.count else { return nil }
        let flags = bytes[begins + 7]
        // The numbers of frames and of bytes, a table of places, and the quality, as far as they are there.
        return begins + 8
            + [4, 4, 100, 4].enumerated().filter { flags & (1 << $0.offset) != 0 }.map(\.element).reduce(0, +)
    }
}
