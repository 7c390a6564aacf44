import Foundation
import MediaTypes
import Rushes

/// A movie's description for people.
struct InfoText {
    let info: MovieInfo
    /// Whether it lacks its end as a copy does that broke off, and not as a recording.
    let isCutOff: Bool

    init(_ info: MovieInfo, isCutOff: Bool = false) { (self.info, self.isCutOff) = (info, isCutOff) }

    var lines: [String] {
        var lines = [heading]
        if !info.complete {
            lines.append(
                info.container == "gif"
                    ? "  cut off: its whole frames can be played"
                    : isCutOff
                        ? "  cut off: copy it again from its source; what is there can be played"
                        : "  unfinished: its recorder was killed or still runs, or it was cut off; what is there can be played"
            )
        }
        lines += info.video.map { "  video    " + words($0) }
        lines += info.video.compactMap(light)
        lines += info.audio.map { "  audio    " + words($0) }
        lines += (info.subtitles ?? []).map { "  subtitle " + words($0) }
        lines += (info.data ?? []).map { "  data     " + words($0) }
        lines += (info.covers ?? []).map { "  cover    " + $0 }
        let facts: [(String, String?)] = [
            ("title", info.title), ("artist", info.artist), ("album", info.album), ("genre", info.genre),
            ("shows", info.description), ("comment", info.comment), ("rights", info.copyright),
            ("made", info.creationDate), ("timecode", info.timecode),
            ("place", info.location),
            ("camera", [info.make, info.model].compactMap(\.self).joined(separator: " ")), ("software", info.software),
        ]
        lines += facts.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : "  \(name.padding(toLength: 8, withPad: " ", startingAt: 0)) \($0)" }
        }
        if let other = info.appended {
            let length = other.duration.map { ", " + Words.clock(MediaTime(seconds: $0)) } ?? ""
            lines.append(
                "  after    another movie (\(Words.size(Int64(clamping: other.size)))\(length)), which is not played")
        }
        lines += info.chapters.map { "  chapter  \(Words.clock($0.start))  \($0.title)" }
        return lines
    }

    private var heading: String {
        let parts = [
            Words.clock(info.duration), Words.size(Int64(clamping: info.size)),
            info.bitRate.map { Words.bitRate($0) },
        ]
        return "\(info.path): \(info.container.uppercased()), " + parts.compactMap(\.self).joined(separator: ", ")
    }

    private func words(_ track: MovieInfo.Video) -> String {
        var words = [
            [track.codec, track.profile, track.codecTag.isEmpty ? nil : "(\(track.codecTag))"].compactMap(\.self)
                .joined(separator: " "),
            "\(track.width)×\(track.height)",
        ]
        if track.rotation != 0 || track.mirrored {
            let turn = track.rotation == 0 ? "" : " turned \(track.rotation)°"
            words.append(
                "shown \(track.displayWidth)×\(track.displayHeight)\(turn)\(track.mirrored ? " mirrored" : "")")
        }
        let shown = track.shownFrameCount ?? track.frameCount
        words.append(Words.count(shown, "frame") + (track.frameRate.map { " at \(Words.number($0))" } ?? ""))
        if shown < track.frameCount { words.append("\(track.frameCount - shown) more that its edit list hides") }
        if let depth = track.bitDepth { words.append("\(depth) bit" + (track.chroma.map { " \($0)" } ?? "")) }
        let colours = [track.colorPrimaries, track.transfer, track.matrix].compactMap(\.self)
        if let first = colours.first {
            let same = colours.allSatisfy { $0 == first }
            words.append((same ? first : colours.joined(separator: "/")) + (track.range.map { " \($0)" } ?? ""))
        }
        if let language = track.language { words.append(language) }
        return words.joined(separator: ", ")
    }

    /// What HDR10 says of the light; nil where nothing is told.
    private func light(_ track: MovieInfo.Video) -> String? {
        var words: [String] = []
        if let display = track.masteringDisplay {
            let least = Words.number(display.minimumLuminance, digits: 4)
            let most = Words.number(display.maximumLuminance)
            words.append("mastered on \(least) to \(most) cd/m²")
        }
        if let light = track.contentLight { words.append("MaxCLL \(light.maximum), MaxFALL \(light.average)") }
        return words.isEmpty ? nil : "  HDR      " + words.joined(separator: ", ")
    }

    private func words(_ track: MovieInfo.OtherTrack) -> String {
        let count = track.sampleCount.map { "\($0) sample\($0 == 1 ? "" : "s")" }
        let what = track.kind.map { "\($0) that does not say how it is coded" } ?? track.codec
        return [what, track.language, track.title, count].compactMap(\.self).joined(separator: ", ")
    }

    private func words(_ track: MovieInfo.Audio) -> String {
        let channels = [1: "mono", 2: "stereo", 6: "5.1"][track.channels] ?? "\(track.channels) channels"
        let words: [String?] = [
            track.codec, channels, "\(Words.number(Double(track.sampleRate) / 1000, digits: 3)) kHz",
            track.bitRate.map { Words.bitRate($0) }, track.language, track.title,
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }
}
