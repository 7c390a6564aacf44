package import Foundation
import Imaging
import MediaTypes

/// OpenTimelineIO's JSON: the composed movie cut where layouts begin, each camera below it, the audio's tracks once, chapters as markers.
///
/// The cameras are switched off, and hidden by the composed movie: Kdenlive's reader (24) switches every clip on. What stood where is in the
/// metadata.
extension EditProject {
    /// The bytes of "talk.otio". Times are in the composed movie's frames.
    package func otio(name: String) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(timeline(name: name)) + Data("\n".utf8)
    }

    private func timeline(name: String) -> JSONValue {
        let composed = cuts.map { cut in
            clip(of: movie, cut.frames, metadata: shown(cut.placements, cut.choice))
        }
        var tracks = cameras.enumerated().map { index, camera in
            track("V\(index + 1)", "Video", [clip(of: camera, 0..<frameCount, isEnabled: false)])
        }
        tracks.append(track("V\(cameras.count + 1)", "Video", composed))
        for (index, name) in audioTracks.enumerated() {
            // A clip has no place to say which of its file's audio tracks it is.
            let metadata: JSONValue = ["audio_track": .number(Double(index)), "microphone": .string(name)]
            tracks.append(track("A\(index + 1)", "Audio", [clip(of: movie, 0..<frameCount, metadata: metadata)]))
        }
        let stack = item("Stack.1", "tracks", markers: chapters.map(marker), ["children": .array(tracks)])
        var metadata: [String: JSONValue] = [
            "cameras": .array(cameras.map { .string($0.displayName) }),
            "width": .number(Double(movie.size.width)), "height": .number(Double(movie.size.height)),
        ]
        if orientation != .upright {
            metadata["rotation"] = .number(Double(orientation.rotation.rawValue))
            metadata["mirrored"] = .bool(orientation.isMirrored)
        }
        return [
            "OTIO_SCHEMA": "Timeline.1", "name": .string(name), "global_start_time": .null, "tracks": stack,
            "metadata": ["rushes": .object(metadata)],
        ]
    }

    /// What tracks, clips and stacks have in common.
    private func item(
        _ schema: String, _ name: String, range: JSONValue = .null, markers: [JSONValue] = [], isEnabled: Bool = true,
        metadata: JSONValue = [:], _ own: [String: JSONValue]
    ) -> JSONValue {
        let common: [String: JSONValue] = [
            "OTIO_SCHEMA": .string(schema), "name": .string(name), "source_range": range, "effects": [],
            "markers": .array(markers), "enabled": .bool(isEnabled), "metadata": metadata,
        ]
        return .object(common.merging(own) { $1 })
    }

    private func track(_ name: String, _ kind: JSONValue, _ clips: [JSONValue]) -> JSONValue {
        item("Track.1", name, ["kind": kind, "children": .array(clips)])
    }

    /// Named as its file: where the media moved, editors look for that.
    private func clip(
        of movie: Movie, _ frames: Range<Int>, isEnabled: Bool = true, metadata: JSONValue? = nil
    ) -> JSONValue {
        let (own, composed) = (movie.rate.doubleValue, self.movie.rate.doubleValue)
        // In the frames of the composed movie, as all times here.
        let first = Int((Double(movie.firstFrame) / own * composed).rounded())
        let reference: JSONValue = [
            "OTIO_SCHEMA": "ExternalReference.1", "name": .string(movie.displayName), "available_image_bounds": .null,
            "target_url": .string(movie.relativeURL), "metadata": [:],
            "available_range": range(movie.firstFrame, Int((duration.seconds * own).rounded()), rate: own),
        ]
        return item(
            "Clip.2", movie.fileName, range: range(first + frames.lowerBound, frames.count, rate: composed),
            isEnabled: isEnabled, metadata: metadata.map { ["rushes": $0] } ?? [:],
            ["media_references": ["DEFAULT_MEDIA": reference], "active_media_reference_key": "DEFAULT_MEDIA"])
    }

    private func marker(_ chapter: Chapter) -> JSONValue {
        [
            "OTIO_SCHEMA": "Marker.2", "name": .string(chapter.title), "comment": .string(chapter.title),
            "color": "GREEN", "metadata": [:],
            "marked_range": range(frame(at: chapter.start), 1, rate: movie.rate.doubleValue),
        ]
    }

    private func shown(_ placements: [FeedPlacement], _ choice: LayoutChoice?) -> JSONValue {
        var metadata: [String: JSONValue] = ["placements": .array(placements.map(layout))]
        if let choice {
            metadata["layout"] = .string(choice.layout.description)
            metadata["order"] = .array(choice.order.map { .number(Double($0)) })
            metadata["transition"] = .number(choice.transition.seconds)
            metadata["elapsed"] = .number(choice.elapsed.seconds)
            metadata["from"] = choice.origin.map { origin in
                [
                    "layout": .string(origin.layout.description),
                    "order": .array(origin.order.map { .number(Double($0)) }),
                ]
            }
        }
        return .object(metadata)
    }

    private func layout(_ placement: FeedPlacement) -> JSONValue {
        let (place, crop) = (placement.rectangle, placement.crop)
        return [
            "camera": .number(Double(placement.feed)), "x": .number(Double(place.x)), "y": .number(Double(place.y)),
            "width": .number(Double(place.width)), "height": .number(Double(place.height)),
            "crop": .array([crop.x, crop.y, crop.width, crop.height].map { .number($0) }),
            "corner_radius": .number(placement.cornerRadius), "border_width": .number(placement.borderWidth),
            "shadow_radius": .number(placement.shadowRadius), "opacity": .number(placement.opacity),
        ]
    }

    private func range(_ start: Int, _ count: Int, rate: Double) -> JSONValue {
        func time(_ value: Int) -> JSONValue {
            ["OTIO_SCHEMA": "RationalTime.1", "value": .number(Double(value)), "rate": .number(rate)]
        }
        return ["OTIO_SCHEMA": "TimeRange.1", "start_time": time(start), "duration": time(count)]
    }
}

extension EditProject.Movie {
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// A colon would end a scheme, and a percent sign begin an escape.
    fileprivate var relativeURL: String {
        fileBytes.map { byte in
            if Self.plain.contains(byte) { return String(UnicodeScalar(byte)) }
            let hex = String(byte, radix: 16, uppercase: true)
            return hex.count < 2 ? "%0\(hex)" : "%\(hex)"
        }.joined()
    }
}
