package import GStreamer
import MediaTypes
package import MovieFiles
import Threads

/// GStreamer 1.22, matroskademux: goes with the version that gives ProRes frames their times; `WorkaroundTests` “matroskademux, the times of ProRes”.
///
/// Gives ProRes frames of Matroska their times again, one after the other as they lie in the file, and their true size: matroskademux (1.22)
/// writes the head that they lack there without its own eight bytes (SMPTE RDD 36, 5.1).
package enum ProResFrames {
    /// - Parameter pad: the demuxer's output, which nobody seeks.
    package static func restore(_ times: ProResFrameTimes, on pad: Pad) {
        let left = Locked(times.frames.makeIterator())
        _ = pad.addBufferEditor { buffer in
            guard let (time, duration) = left.withLock({ $0.next() }) else { return }
            try? buffer.withMutableBytes { bytes in
                guard bytes.count > 8, bytes[4..<8].elementsEqual("icpf".utf8) else { return }
                withUnsafeBytes(of: UInt32(clamping: bytes.count).bigEndian) { bytes[..<4].copyBytes(from: $0) }
            }
            buffer = buffer.retimed(presentationTime: time, duration: duration)
        }
    }
}

extension Caps {
    /// The same with the name that muxers know for which ProRes it is: matroskademux (1.22) calls the `variant` a `format`.
    package var namingProResVariant: Caps {
        guard let first, first.name == CodecIdentifiers.prores.mediaType, first["variant"] == nil,
            let variant = first["format"]
        else { return self }
        var fields = first.fields
        (fields["format"], fields["variant"]) = (nil, variant)
        return Caps(first.name, fields)
    }
}
