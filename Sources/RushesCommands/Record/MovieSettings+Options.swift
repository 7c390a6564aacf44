import ArgumentParser
import Capture
import Foundation
import Encoding
import MovieFiles
import Rushes
import SystemPackage

extension MovieSettings {
    /// The settings that the command line asks for.
    ///
    /// - Throws: a `ValidationError` for a place or a date that cannot be read.
    init(_ command: RecordCommand, hasVideo: Bool) throws {
        self.init()
        let encoding = command.encoding
        videoCodec = encoding.codec ?? (encoding.profile == nil ? nil : .prores)
        profile = encoding.profile
        rateControl =
            encoding.quality.map { .quality($0) } ?? encoding.bitrate.map { .bitrate($0.bitsPerSecond) } ?? .standard
        lookupTable = command.video.lut.map { FilePath(typed: $0) }
        encoderSpeed = encoding.encoderSpeed
        if hasVideo { bitDepth = encoding.depth } else { audioBitDepth = encoding.bitDepth }
        audioCodec = encoding.audio
        audioBitrate = encoding.audioBitrate?.bitsPerSecond
        mixesMicrophones = command.audio.mix
        audioDelay = command.audio.audioDelay?.duration ?? .zero
        orientation = MovieOrientation(rotation: command.video.rotation.rotation, isMirrored: command.video.mirror)
        metadata = try command.tags.metadata()
        metadata.software = "Rushes \(RushesCommand.version)"
    }
}

extension TagOptions {
    /// What was given, and nothing else.
    ///
    /// - Throws: a `ValidationError` for a place or a date that cannot be read.
    func metadata() throws -> MovieMetadata {
        var metadata = MovieMetadata()
        (metadata.title, metadata.description) = (title, description)
        (metadata.album, metadata.genre) = (album, genre)
        (metadata.artist, metadata.comment, metadata.copyright) = (artist, comment, copyright)
        metadata.make = make
        metadata.model = model
        if let location, location.isEmpty {
            metadata.location = ""
        } else if let location {
            guard let place = Self.place(location) else {
                throw ValidationError(
                    "--location is a place by ISO 6709, such as +48.8577+002.295/ or +48.8577+002.295+035/.")
            }
            metadata.location = place
        }
        if date == "" { throw ValidationError("A date cannot be removed; give another one, or leave --date out.") }
        if let date {
            // A day that its month does not have would be one of the next.
            guard let made = MovieDate(typed: date), made.isSaid(by: date) else {
                throw ValidationError("--date is a date by ISO 8601, such as 2026-11-21T14:03:22+01:00.")
            }
            metadata.creationDate = made
        }
        return metadata
    }

    /// Latitude, longitude and perhaps height, each with its sign; the closing slash is added if it is missing.
    private static func place(_ text: String) -> String? {
        let pattern = #/[+-]\d{2,6}(?:\.\d+)?[+-]\d{3,7}(?:\.\d+)?(?:[+-]\d+(?:\.\d+)?)?(?:CRS[A-Za-z0-9_]+)?/?/#
        guard text.wholeMatch(of: pattern) != nil, Coordinate(iso6709: text) != nil else { return nil }
        return text.hasSuffix("/") ? text : text + "/"
    }
}

extension MovieDate {
    /// As ISO 8601 has it: without a zone a time is this machine's.
    fileprivate init?(typed text: String) {
        guard let zoned = MovieDate(text + "Z"), zoned.isInstant else {
            self.init(text)
            return
        }
        let zone = TimeZone.current
        // The clock's distance from UTC is that of the instant, which is known by then to an hour or so.
        let near = zoned.date.addingTimeInterval(-Double(zone.secondsFromGMT(for: zoned.date)))
        self.init(zoned.date.addingTimeInterval(-Double(zone.secondsFromGMT(for: near))), in: zone)
    }

    /// Whether a text has this day and, if any, this hour and minute: not one beyond the end of its month, day or hour.
    fileprivate func isSaid(by text: String) -> Bool {
        let digits = text.prefix(16).filter(\.isNumber)
        return description.prefix(16).filter(\.isNumber).hasPrefix(digits.prefix(text.count < 16 ? 8 : 12))
    }
}
