import Foundation
package import MediaTypes

/// One track of subtitles as its decoder takes it: to be drawn into frames.
package struct SubtitleStream: Sendable {
    package enum Codec: Sendable, Hashable {
        /// Letters and nothing else.
        case text
        /// With the tags that SubRip's texts may have.
        case subRip
        /// Events of SubStation Alpha, behind their header.
        case substation
        /// A whole file of SubStation Alpha, which the header is.
        case script
        case webVTT
        /// Images: Blu-ray's (PGS), a DVD's (VobSub), television's (DVB).
        case bluray, dvd, dvb

        /// Whether they are images and not letters.
        package var isBitmap: Bool { self == .bluray || self == .dvd || self == .dvb }
    }

    package struct Packet: Sendable, Hashable {
        /// In the movie's own time.
        package var begin: MediaTime
        /// nil where nothing tells.
        package var duration: MediaTime?
        package var data: [UInt8]

        package init(begin: MediaTime, duration: MediaTime?, data: [UInt8]) {
            (self.begin, self.duration, self.data) = (begin, duration, data)
        }
    }

    package var codec: Codec
    /// What the decoder needs beforehand; may be empty.
    package var header: [UInt8]
    /// In the order of their times.
    package var packets: [Packet]
    /// What the file brings for letters: names and data.
    package var fonts: [(name: String, data: [UInt8])] = []

    package init(_ codec: Codec, header: [UInt8] = [], packets: [Packet]) {
        (self.codec, self.header, self.packets) = (codec, header, packets)
    }
}

extension MovieSubtitles {
    /// Of all packets of a track, decompressed: a film's images have some fifty megabytes.
    private static let mostBytes = 256 << 20

    /// The first of the tracks, to be drawn.
    ///
    /// - Throws: `unsupported` for subtitles of a kind that nothing here draws, or what ``omissions`` says of it.
    package func stream() throws(MovieFileError) -> SubtitleStream {
        guard let track = tracks.first else {
            throw .unsupported(reason: omissions.first ?? "it has no subtitles")
        }
        guard let codec = SubtitleStream.Codec(matroska: track.source.codecID) else {
            throw .unsupported(reason: "subtitles of its kind (\(track.source.codecID)) cannot be drawn")
        }
        let encoding = try track.source.frameEncoding()
        var packets: [SubtitleStream.Packet] = []
        var left = Self.mostBytes
        for cue in track.cues {
            let data = try encoding?.decoded(cue.data) ?? cue.data
            left -= data.count
            guard left >= 0 else { throw .unsupported(reason: "its subtitles are too large") }
            packets.append(
                .init(
                    begin: MediaTime(nanoseconds: cue.begin), duration: cue.duration.map { MediaTime(nanoseconds: $0) },
                    data: track.source.codecID.hasPrefix("D_WEBVTT/") ? SubtitleText.webVTTPayload(data) : data))
        }
        let header = Array(track.source.codecPrivate)
        var stream = SubtitleStream(
            codec, header: encoding?.coversPrivate == true ? try encoding?.decoded(header) ?? header : header,
            packets: packets)
        stream.fonts = fonts
        return stream
    }
}

extension SubtitleStream.Codec {
    fileprivate init?(matroska codecID: String) {
        switch codecID {
        case "S_TEXT/UTF8", "S_TEXT/ASCII": self = .subRip
        case "S_TEXT/ASS", "S_TEXT/SSA", "S_ASS", "S_SSA": self = .substation
        case "S_TEXT/WEBVTT": self = .webVTT
        case "S_HDMV/PGS": self = .bluray
        case "S_VOBSUB": self = .dvd
        case "S_DVBSUB": self = .dvb
        default:
            guard codecID.hasPrefix("D_WEBVTT/") else { return nil }
            self = .webVTT
        }
    }
}

extension SubtitleText {
    /// WebM's own frames have a line with an identifier and one with settings before the text.
    fileprivate static func webVTTPayload(_ frame: [UInt8]) -> [UInt8] {
        Array(
            frame.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false).dropFirst(2).joined(separator: [
                10
            ]))
    }
}
