import CLibAV

/// How one sample of decoded audio lies in memory, in the machine's own order of bytes.
package enum SampleFormat: Sendable, Hashable {
    case unsigned8, signed16, signed32, float32, float64
}

/// The audio of one frame, whose channels may lie beside or behind each other.
struct FrameSamples {
    let format: SampleFormat
    private let isPlanar: Bool
    /// Of one sample in the frame, in bytes.
    private let width: Int

    /// - Returns: nil for what no audio is decoded to.
    init?(_ kind: AVSampleFormat) {
        switch kind {
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P: (format, width) = (.unsigned8, 1)
        case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: (format, width) = (.signed16, 2)
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P: (format, width) = (.signed32, 4)
        case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: (format, width) = (.float32, 4)
        case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP: (format, width) = (.float64, 8)
        // Its upper half, as nothing behind it takes more.
        case AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P: (format, width) = (.signed32, 8)
        default: return nil
        }
        isPlanar = [
            AV_SAMPLE_FMT_U8P, AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBLP,
            AV_SAMPLE_FMT_S64P,
        ].contains(kind)
    }

    /// Adds a frame's samples, those of all channels beside each other.
    func append(_ frame: AVFrame, channels: Int, to bytes: inout [UInt8]) {
        guard let planes = frame.extended_data, let first = planes[0] else { return }
        let count = Int(frame.nb_samples)
        if width == 8, format == .signed32 {
            for sample in 0..<count {
                for channel in 0..<channels {
                    let place =
                        isPlanar ? planes[channel].map { $0 + sample * 8 } : first + (sample * channels + channel) * 8
                    guard let place else { return }
                    let value = Int32(
                        truncatingIfNeeded: UnsafeRawPointer(place).loadUnaligned(as: Int64.self) >> 32)
                    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
                }
            }
        } else if !isPlanar || channels == 1 {
            bytes.append(contentsOf: UnsafeBufferPointer(start: first, count: count * channels * width))
        } else {
            switch width {
            case 1: interleave(planes, UInt8.self, count, channels, &bytes)
            case 2: interleave(planes, UInt16.self, count, channels, &bytes)
            case 4: interleave(planes, UInt32.self, count, channels, &bytes)
            default: interleave(planes, UInt64.self, count, channels, &bytes)
            }
        }
    }

    private func interleave<Sample: FixedWidthInteger>(
        _ planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, _: Sample.Type, _ count: Int, _ channels: Int,
        _ bytes: inout [UInt8]
    ) {
        let samples = [Sample](unsafeUninitializedCapacity: count * channels) { buffer, filled in
            for channel in 0..<channels {
                let plane = UnsafeRawPointer(planes[channel])?.assumingMemoryBound(to: Sample.self)
                for sample in 0..<count {
                    buffer.initializeElement(at: sample * channels + channel, to: plane?[sample] ?? 0)
                }
            }
            filled = count * channels
        }
        samples.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
}
