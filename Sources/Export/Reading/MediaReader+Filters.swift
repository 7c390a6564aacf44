import Composition
import Encoding
import GStreamer
import Imaging
import MovieFiles

extension MediaReader {
    /// Of audio that is added to that of other movies.
    struct MixFormat: Sendable {
        /// Frames a second.
        let rate: Int
        let channels: Int
    }

    /// What is put behind decoders.
    struct Filters: Sendable {
        /// What of the frames is deinterlaced; `nil`: nothing.
        var deinterlacing: Deinterlacer.Mode?
        /// Channels that audio is mixed to.
        var channels: Int?
        /// Channels that audio with more is mixed down to.
        var mostChannels: Int?
        /// Which decoded frames are taken, and when they are shown; `nil`: all, at their own times.
        var retiming: Retiming?
        /// How many times as fast audio is, its pitch kept; `nil`: as it is.
        var tempo: Double?
        /// By how much audio is presented later than in the file, or earlier where it is below zero; `nil`: not at all.
        var audioDelay: MediaTime?
        /// For audio that is only listened to: frames a second of one channel in floating point.
        var listeningRate: Int?
        /// What audio is made of before it is added to that of other movies, in floating point; `nil`: it is not.
        var mixFormat: MixFormat?
        /// Frames a second of audio whose rate changes on the way; nil: it does not.
        var steadyRate: Int?
        /// Whether audio is handed over in floating point, to be measured and amplified.
        var measuresAudio = false
        /// What frames and audio are made to be, to stand behind those of other movies; `nil`: they are not.
        var joined: JoinedFormat?
        /// How frames are turned, for those who draw into them; `nil` leaves them as they are.
        var uprights: MovieOrientation?
        /// What frames are converted to, before they are turned; `nil`: nothing.
        var format: Caps?
        /// What the colors of frames are looked up in; their format has to be one of ``FrameGrader``'s.
        var lookupTable: LookupTable?
        /// What becomes of the frames, in bits; `nil`: their own depth.
        var depth: Int? = 10
    }
}

/// Which decoded frames are taken, and when each is shown.
struct Retiming: Sendable {
    /// Frames a second.
    var rate: Fraction
    /// When a frame is shown that was shown at a time; nil: not at all. Asked for each once, in their order.
    var time: @Sendable (MediaTime?) -> MediaTime?
    /// When the frame was shown that begins the movie, as the demuxer counts; nil where the movie begins with its source.
    var begin: @Sendable () -> MediaTime? = { nil }
}

extension MediaReader.Filters {
    /// What makes frames of fields; `nil` where they are kept.
    var deinterlacer: Deinterlacer? { deinterlacing.map { Deinterlacer(mode: $0, isSparse: retiming != nil) } }

    /// Whether what the frames are converted to for a look-up table does not say how opaque they are, as the decoder does.
    func losesAlpha(of decoded: Caps) -> Bool {
        func hasAlpha(_ format: FieldValue) -> Bool { VideoFrameLayout.hasAlpha(format.stringValue ?? "") }
        guard lookupTable != nil, let own = decoded.first?["format"], let taken = format?.first?["format"] else {
            return false
        }
        return hasAlpha(own) && !taken.alternatives.contains(where: hasAlpha)
    }

    /// To how many channels so many are mixed; `nil` where they stay as they are. No encoder here holds more than eight.
    func mixed(_ own: Int) -> Int? {
        let wanted =
            listeningRate != nil
            ? 1 : mixFormat?.channels ?? channels ?? (own > 8 ? 2 : min(own, mostChannels ?? own))
        return wanted == own ? nil : wanted
    }

    /// From a decoder to Swift.
    ///
    /// - Parameter corrections: of what the decoder says of its frames, before anything is made of them.
    func nodes(
        _ kind: SourceStream.Kind, correcting corrections: [PipelineDescription.Node] = []
    ) throws(GStreamerError) -> [PipelineDescription.Node] {
        switch kind {
        case .video:
            let rate = try retiming.map { (retiming) throws(GStreamerError) in
                PipelineDescription.Node.make(
                    "capssetter", ["caps": .caps(try Caps("video/x-raw,framerate=(fraction)\(retiming.rate)"))])
            }
            // Memory that Swift can read, wherever the decoder puts its frames.
            return [deinterlacer?.node].compactMap(\.self) + [.caps(try Caps("video/x-raw"))] + corrections
                + [rate].compactMap(\.self)
                + (format.map { [.make("videoconvertscale"), .caps($0)] } ?? []) + (uprights?.flips ?? [])
                + (joined?.videoNodes ?? [])
        case .audio:
            if let joined, let nodes = joined.audioNodes { return nodes }
            if let listeningRate {
                let caps = "audio/x-raw,format=(string)F32LE,layout=(string)interleaved,channels=(int)1"
                return [
                    .make("audioconvert"), .make("audioresample"),
                    .caps(try Caps("\(caps),rate=(int)\(listeningRate)")),
                ]
            }
            if let mixFormat {
                let caps = "audio/x-raw,format=(string)F32LE,layout=(string)interleaved"
                return [
                    .make("audioconvert"), .make("audioresample"),
                    .caps(try Caps("\(caps),rate=(int)\(mixFormat.rate),channels=(int)\(mixFormat.channels)")),
                ]
            }
            let formats = measuresAudio ? "F32LE" : "{ S16LE, S24LE, S32LE, F32LE, F64LE }"
            let mix =
                channels.map { ",channels=(int)\($0)" } ?? mostChannels.map { ",channels=(int)[ 1, \($0) ]" } ?? ""
            // SoundTouch's, which puts its samples' times closer together too.
            let faster: [PipelineDescription.Node] =
                tempo.map { [.make("audioconvert"), .make("pitch", ["tempo": .double($0)])] } ?? []
            let steady: [PipelineDescription.Node] =
                try steadyRate.map { (rate) throws(GStreamerError) in
                    [.make("audioconvert"), .make("audioresample"), .caps(try Caps("audio/x-raw,rate=(int)\(rate)"))]
                } ?? []
            return faster + steady + [
                .make("audioconvert"),
                .caps(
                    try Caps(
                        "audio/x-raw,format=(string)\(formats),layout=(string)interleaved"
                            + mix)),
            ]
        case .text: return []
        }
    }
}
