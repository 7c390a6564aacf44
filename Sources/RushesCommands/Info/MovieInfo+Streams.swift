import Export
import GStreamer
import MediaDecoding
import MediaTypes
import MovieFiles
import Rushes

extension MovieInfo.Video {
    /// - Parameters:
    ///   - size: where GStreamer does not tell it right.
    ///   - isWhole: Whether all packets were counted.
    init?(_ stream: StreamScan.Stream, _ size: VideoSize?, _ duration: MediaTime, isWhole: Bool) {
        guard let format = stream.caps.first, let width = size?.width ?? format["width"]?.intValue,
            let height = size?.height ?? format["height"]?.intValue
        else { return nil }
        let told = format["framerate"]?.fractionValue?.doubleValue
        let counted = stream.duration > .zero ? Double(stream.packetCount) / stream.duration.seconds : nil
        // Some containers tell the finest rate that their times could have; and rounded times make an uneven one.
        let isLikely = told.flatMap { told in counted.map { abs($0 - told) < 0.05 * told } } ?? true
        let rate = isLikely ? told ?? counted : counted
        self.init(
            codec: CodecName.of(format), codecTag: "", width: width, height: height,
            frameCount: isWhole ? stream.packetCount : Int(((rate ?? 0) * duration.seconds).rounded()),
            duration: isWhole && stream.duration > .zero ? stream.duration : duration)
        frameRate = rate.flatMap { $0 > 0 ? $0 : nil }
        bitRate = stream.bitRate
        if let aspect = format["pixel-aspect-ratio"]?.fractionValue?.doubleValue, aspect > 0 {
            displayWidth = Int((Double(width) * min(aspect, 100)).rounded())
        }
        profile = format["profile"]?.stringValue.map { Self.profile($0, of: codec) }
        bitDepth = format["bit-depth-luma"]?.intValue
        chroma = format["chroma-format"]?.stringValue
        (masteringDisplay, contentLight) = (stream.light.display, stream.light.content)
        if let told = format["colorimetry"]?.stringValue.flatMap({ Colorimetry(capsText: $0) }) { read(told) }
        language = stream.language.flatMap { TrackLanguage($0) }?.tag
    }

    /// GStreamer's name, such as `constrained-baseline`, as ffprobe writes it.
    private static func profile(_ name: String, of codec: String) -> String {
        let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return words.joined(separator: " ") + (codec == "mpeg4" ? " Profile" : "")
    }
}

extension MovieInfo.Audio {
    /// - Parameter isWhole: Whether all packets were counted.
    init?(_ stream: StreamScan.Stream, _ duration: MediaTime, isWhole: Bool) {
        guard let format = stream.caps.first, let channels = format["channels"]?.intValue,
            let rate = format["rate"]?.intValue
        else { return nil }
        self.init(
            codec: CodecName.of(format), codecTag: "", channels: channels,
            // Whatever went into the encoder, a decoder gives 48 kHz (RFC 7845 section 4).
            sampleRate: format.name == "audio/x-opus" ? 48_000 : rate,
            duration: isWhole && stream.duration > .zero ? min(stream.duration, duration) : duration)
        // A demuxer may give next to nothing of a file that does not say how long it is.
        let samples = format.name == "audio/x-raw" ? format["format"]?.stringValue : nil
        let bits = samples.flatMap { Int($0.dropFirst().prefix(while: \.isNumber)) }
        bitRate = bits.map { UInt64(clamping: $0 * channels * rate) } ?? stream.bitRate
        language = stream.language.flatMap { TrackLanguage($0) }?.tag
    }
}

extension StreamScan.Stream {
    /// On average, in bits a second.
    fileprivate var bitRate: UInt64? {
        duration > .zero ? UInt64(exactly: (Double(byteCount) * 8 / duration.seconds).rounded(.down)) : nil
    }
}
