import AudioDecoding
import GStreamer
import MovieFiles
import SystemPackage

/// Audio that GStreamer (1.22) has no demuxer or no decoder for, and libavformat and libavcodec have.
extension InputProperties {
    /// Takes what a file is whose audio is decoded by libavcodec, and what it says of itself.
    mutating func take(_ audio: DecodedAudio) {
        decoded = audio
        // Nothing else of it is read, and times count from its first sample.
        (container, declared, bytes, rewrapped, reindexed, movie) = (.other, [], InputBytes(), nil, nil, nil)
        duration = audio.duration
        metadata.fill(named: audio.texts)
        unkept += audio.unkept.filter { !unkept.contains($0) }
    }
}

extension DecodedAudio {
    /// - Parameter file: which it is read of as long as that lives.
    init?(_ file: InputFile) { self.init(reading: FilePath(file.location), named: file.path) }

    /// In words, what it says of itself that no output has a place for here.
    fileprivate var unkept: [String] {
        let known = [
            ("album_artist", "album artist"), ("composer", "composer"), ("track", "track number"),
            ("disc", "disc number"), ("lyrics", "lyrics"),
        ]
        return (hasCover ? ["cover"] : []) + known.compactMap { texts[$0.0] == nil ? nil : $0.1 }
    }

    /// What is said of its other tracks.
    var note: String? {
        switch otherTracks {
        case ...0: nil
        case 1: "The other audio track was left out: of \(codec) in this kind of file one track is read."
        default:
            "The other \(otherTracks) audio tracks were left out: of \(codec) in this kind of file one track is read."
        }
    }

    /// What is said where it was to be copied.
    var copyNote: String { "The audio (\(codec)) was decoded: it cannot be copied as it is here." }

    /// In GStreamer's words.
    var caps: Caps {
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

extension DecodedAudio.Damage {
    /// A sentence about it; nil where there is none.
    var note: String? {
        guard count > 0 else { return nil }
        let what = count == 1 ? "A packet of the audio was" : "\(count) packets of the audio were"
        let place = first.map {
            count == 1 ? " at \($0.secondsToHundredths) s" : ", the first at \($0.secondsToHundredths) s"
        }
        return "\(what) damaged and left out\(place ?? "")."
    }
}
