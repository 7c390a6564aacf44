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
        // Behind the frame's head and what describes its audio (ISO/IEC 11172-3 and 13818-3): 9 to 32 bytes.
        let begins = (13...36).first { begin in
            ["Xing", "Info"].contains { bytes.dropFirst(begin).prefix(4).elementsEqual($0.utf8) }
        }
        guard let begins, begins + 8 < bytes.count else { return nil }
        let flags = bytes[begins + 7]
        // The numbers of frames and of bytes, a table of places, and the quality, as far as they are there.
        let sizes = [4, 4, 100, 4].enumerated().filter { flags & (1 << $0.offset) != 0 }.map(\.element)
        let place = begins + 8 + sizes.reduce(0, +)
        return names.contains { bytes.dropFirst(place).prefix(4).elementsEqual($0) } ? place : nil
    }
}
