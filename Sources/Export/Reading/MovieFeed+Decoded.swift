import GStreamer
import MediaDecoding
import MediaTypes
import Threads

/// Streams that libavcodec decodes, as frames and samples with their times.
extension DecodedMedia {
    /// One for each stream, which all have a reader of their own.
    var contents: [MovieFeed.Content] {
        video.enumerated().map { MovieFeed.Content(self, $1, named: "decoded-video-\($0)") }
            + audio.enumerated().map { MovieFeed.Content(self, $1, named: "decoded-audio-\($0)") }
    }
}

extension MovieFeed.Content {
    fileprivate init(_ media: DecodedMedia, _ track: DecodedAudio, named name: String) {
        let damage = Locked(DecodedMedia.Damage())
        self.init(
            caps: track.caps,
            kind: .pushed(isTimed: true) { push in
                do throws(DecodedMedia.Failure) {
                    let lost = try media.forEachPiece(of: track) { bytes, time in
                        let length = MediaTime(samples: bytes.count / track.frameSize, rate: track.rate)
                        return bytes.withUnsafeBytes {
                            push(Buffer(copying: $0, presentationTime: time, duration: length))
                        }
                    }
                    damage.withLock { $0 = lost }
                    return nil
                } catch {
                    return error.reason
                }
            }, name: name, isDecoded: true, damage: damage)
    }
}

extension MovieFeed.Content {
    fileprivate init(_ media: DecodedMedia, _ track: DecodedVideo, named name: String) {
        let (caps, damage) = (track.caps, Locked(DecodedMedia.Damage()))
        self.init(
            caps: caps,
            kind: .pushed(isTimed: true) { push in
                let shortage = "there is no memory for its frames of \(track.size) as \(track.format.name)"
                guard let layout = VideoFrameLayout(caps), let pool = try? FramePool(caps, layout) else {
                    return shortage
                }
                var isShort = false
                do throws(DecodedMedia.Failure) {
                    let lost = try media.forEachFrame(of: track) { frame in
                        guard var buffer = pool.buffer(),
                            (try? buffer.withMutablePlanes(layout) { planes in
                                frame.planes.write(to: planes.map { .init(base: $0.base, bytesPerRow: $0.bytesPerRow) })
                            }) != nil
                        else {
                            isShort = true
                            return false
                        }
                        let placed = buffer.retimed(presentationTime: frame.time, duration: frame.duration)
                        return push(
                            frame.isInterlaced ? placed.interlaced(topFieldFirst: frame.isTopFieldFirst) : placed)
                    }
                    damage.withLock { $0 = lost }
                    return isShort ? shortage : nil
                } catch {
                    return error.reason
                }
            }, name: name, isDecoded: true, damage: damage)
    }
}

extension DecodedVideo {
    /// In GStreamer's words.
    fileprivate var caps: Caps {
        var fields: [String: FieldValue] = [
            "format": .string(format.name), "width": .int(Int64(size.width)), "height": .int(Int64(size.height)),
            "framerate": .fraction(rate ?? Fraction(0, 1)),
            "pixel-aspect-ratio": .fraction(pixelAspect ?? Fraction(1, 1)),
            "interlace-mode": .string(isInterlaced ? "mixed" : "progressive"),
        ]
        let isTold = colors.isFullRange || [colors.primaries, colors.transfer, colors.matrix].contains { $0 != 2 }
        // Red, green and blue have no matrix, and no other range here, whatever the file says of them.
        let isRGB = format.isRGB
        if isRGB || isTold && format.chroma != nil {
            fields["colorimetry"] =
                Colorimetry(
                    primaries: colors.primaries, transfer: colors.transfer, matrix: isRGB ? 0 : colors.matrix,
                    isFullRange: isRGB || colors.isFullRange
                ).capsText.map { .string($0) }
        }
        return Caps("video/x-raw", fields)
    }
}

extension DecodedAudio {
    /// In GStreamer's words.
    fileprivate var caps: Caps {
        let name =
            switch format {
            case .unsigned8: "U8"
            case .signed16: "S16LE"
            case .signed32: "S32LE"
            case .float32: "F32LE"
            case .float64: "F64LE"
            }
        var fields: [String: FieldValue] = [
            "format": .string(name), "layout": .string("interleaved"), "rate": .int(Int64(rate)),
            "channels": .int(Int64(channels)),
        ]
        if channels > 2 || mask != 0 && channels == 2 { fields["channel-mask"] = .bitmask(mask) }
        return Caps("audio/x-raw", fields)
    }

    /// Which speakers the channels are for, as GStreamer numbers them: from those at the sides on they have other numbers, and from those
    /// above on another order, in which they are nobody's.
    private var mask: UInt64 {
        let (common, sides): (UInt64, UInt64) = (0x1FF, 0x600)
        guard speakers & ~(common | sides) == 0 else { return 0 }
        return speakers & common | (speakers & sides) << 1
    }
}
