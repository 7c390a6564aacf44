import GStreamer
import MediaDecoding
import MovieFiles

extension MediaReader {
    /// How streams are decoded.
    struct Decoding: Sendable, Hashable {
        /// Whether hardware decoders are passed over: by this reader only, whatever others find in the same registry.
        var avoidsHardware = false
        /// Whether frames have the times of their places in the file; see ``AVIFrameTimestamps``.
        var countsFrames = false
        /// Whether the frames use the full range of values, where the file's index tells.
        var isFullRange: Bool?
        /// How wide a pixel is for its height, where the file's index tells.
        var pixelAspect: Fraction?
        /// What the file's index tells of the frames' colors.
        var color: ColorInformation?
        /// The same of frames that say nothing of them themselves.
        var describedColor: ColorInformation?
        /// Which field is shown first, where the file's index tells.
        var fieldOrder: FieldOrder?
        /// The first and the last frame that its edits present.
        var edges: EdgeFrames?
        /// When its frames are shown, where a demuxer loses that.
        var frameTimes: ProResFrameTimes?
        /// How long streams are waited for that begin late in the file.
        var timeout = StreamDiscovery.Timeout.usual
        /// Whether the frames are called transparent, and nothing says how opaque they are.
        var lacksTransparency = false
        /// What kind of file it is.
        var container = InputContainer.movie
        /// Its frames, where it is a GIF.
        var gif: GIFIndex?
        /// Its audio, where GStreamer does not read that as it is.
        var rewrapped: RewrappedAudio?
        /// Its video and audio, where GStreamer does not read or decode them.
        var decoded: DecodedMedia?
        /// An index of its own, where a demuxer cannot do with the file's.
        var reindexed: ReindexedMovie?
        /// What the heads of its packets tell, where it is a transport stream.
        var transport: TransportScan?
        /// What of the file is read, where a demuxer cannot do with all of it.
        var kept: KeptBytes?
        /// How much of its frames is shown, where only the file says that.
        var vp6: FLVScan.VP6Size?
        /// Whether it is an MP3 without a container, whose packets are to be copied into one that tells what only primes a decoder.
        var primesMP3 = false
        /// How many threads decode its frames; nil: as many as the decoder takes.
        var threads: Int?

        /// A movie of which nothing has to be known before.
        init(avoidsHardware: Bool = false) { self.avoidsHardware = avoidsHardware }

        /// All that is known of the input.
        init(_ properties: InputProperties, without reasons: RetryReasons = RetryReasons()) {
            avoidsHardware = reasons.contains(.hardwareDecoder)
            countsFrames = properties.container == .avi || properties.frames?.hasOnlyDecodeTimes == true
            (isFullRange, pixelAspect) = (properties.isFullRange, properties.pixelAspect)
            (color, fieldOrder) = (properties.indexColor, properties.frames?.fieldOrder)
            describedColor = properties.description?.video.first?.color
            timeout = reasons.contains(.usualTimeout) ? .long : .usual
            (container, frameTimes) = (properties.container, properties.frameTimes)
            edges = properties.bytes.edges
            (gif, rewrapped, reindexed) = (properties.gif, properties.rewrapped, properties.reindexed)
            decoded = properties.decoded
            (transport, lacksTransparency) = (properties.transport, properties.lacksTransparency)
            (kept, vp6) = (properties.bytes.kept, properties.bytes.vp6)
        }
    }
}

extension ColorInformation {
    /// As caps write it; nil where nothing is told, or they have no word for it.
    var capsText: String? {
        guard isSpecified else { return nil }
        return Colorimetry(
            primaries: Int(primaries), transfer: Int(transfer), matrix: Int(matrix), isFullRange: isFullRange ?? false
        ).capsText
    }
}
