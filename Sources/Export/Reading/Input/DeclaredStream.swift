import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage

/// A stream that the input's own index names. GStreamer's demuxers (1.22) say nothing of those they have no word for.
struct DeclaredStream: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case video, audio, subtitle, auxiliary, data, other }

    var kind: Kind
    /// In words, such as "DTS".
    var codec: String
    /// What demuxers end the stream's identifier with.
    var suffix: String
    /// Of a transport stream: the number of the program that it belongs to.
    var program: Int?
    /// Of a transport stream: when it begins, where its first map does not name it.
    var start: MediaTime?
    /// Of a transport stream: whether it has the packets of another stream from somewhere on, whose codec differs.
    var isReplacement = false
    /// Of a transport stream: whether a map names it and no packet of it comes.
    var isAbsent = false
    /// What it tells about itself.
    var attributes = TrackAttributes()
    /// Whether an edit list hides its first samples.
    var hidesBeginning = false
    /// Of video: whether edits hide frames among those that they show, which a copy without edits would show or lack.
    var hidesNeededFrames = false
    /// How long edits show nothing of it.
    var pauses = MediaTime.zero
    /// Whether its first sample can be decoded by itself, as far as its index says.
    var beginsWithSync = true
    /// How wide a pixel is for its height.
    var pixelAspect: Fraction?

    /// Streams that the file's index names; empty where no index is known here.
    ///
    /// Blocks.
    ///
    /// - Parameter tracks: of QuickTime and MP4; none of another file.
    static func all(in file: InputFile, _ properties: InputProperties, _ tracks: [ListedTrack] = []) -> [DeclaredStream]
    {
        if properties.movie != nil {
            // Subtitles are carried by bytes, from the index itself.
            return tracks.compactMap { DeclaredStream($0) }.filter { $0.kind != .subtitle }
        }
        if let scan = properties.transport { return all(in: scan) }
        return ((try? ASFDataStream.all(in: FilePath(file.location))) ?? []).map {
            DeclaredStream(kind: .other, codec: $0.content, suffix: String(format: "/%03u", $0.number))
        }
    }

    /// A sentence about one that is not carried on.
    var note: String {
        let what =
            switch kind {
            case .video: "A video track"
            case .audio: "An audio track"
            case .subtitle: "Subtitles"
            case .auxiliary: "An auxiliary track, such as transparency or depth,"
            case .data, .other: "A data track"
            }
        let verb = kind == .subtitle ? "were" : "was"
        let time = start.map { "\($0.secondsToHundredths) s" }
        if isReplacement {
            return
                "\(what) (\(codec)) \(verb) left out: \(time.map { "at \($0)" } ?? "on the way") it takes the place of one of "
                + "another codec."
        }
        if isAbsent { return "\(what) (\(codec)) \(verb) left out: the file names it and has nothing of it." }
        let begin = time.map { ", which \(kind == .subtitle ? "begin" : "begins") at \($0)," } ?? ""
        return "\(what) (\(codec))\(begin) \(verb) left out: GStreamer does not read it here."
    }
}

extension DeclaredStream {
    /// - Returns: nil for what is carried in another way, or empty.
    fileprivate init?(_ track: ListedTrack) {
        guard !track.isChapters, track.sampleCount > 0 else { return nil }
        kind =
            switch track.handler {
            // ISO/IEC 23008-12, 7.2: a sequence of images, as AVIF and HEIF have them.
            case "vide", "pict": .video
            case "soun": .audio
            // ISO/IEC 14496-12, 12.1.1.
            case "auxv": .auxiliary
            case "text", "sbtl", "subt", "subp", "clcp": .subtitle
            default: DataTracks.isOne(handler: track.handler) ? .data : .other
            }
        codec = track.format ?? "which does not say how it is coded"
        attributes = track.attributes
        (hidesBeginning, pixelAspect) = (track.hidesBeginning, track.pixelAspect)
        (hidesNeededFrames, beginsWithSync) = (track.hidesNeededFrames, track.beginsWithSync)
        pauses = track.pauses
        suffix = String(format: "/%03u", track.trackID)
    }
}
