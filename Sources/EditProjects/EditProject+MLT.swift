package import Foundation
import Imaging
import MediaTypes

/// MLT's XML, for melt, Kdenlive and Shotcut: a track for each layer with the cameras' own movies, and what places them. Rounded
/// corners, borders and shadows are not in it: what draws them differs from editor to editor.
extension EditProject {
    /// Why MLT's reader (7.12) cannot take it up, in a sentence's second half; `nil` where it can.
    package var obstacleToMLT: String? {
        // XML is text, and what has a colon is not looked for beside the project.
        let areFound = cameras.allSatisfy {
            Array($0.fileName.utf8) == $0.fileBytes && !$0.fileName.utf8.contains(UInt8(ascii: ":"))
        }
        if !areFound {
            return "names of movies that are not UTF-8, or have a colon, are not found by what reads it"
        }
        // Each layer would have to be turned, its places and its crops.
        return orientation == .upright ? nil : "it has no place for a rotation or mirror of the composed movie"
    }

    /// The bytes of "talk.mlt".
    package func mlt(name: String) -> Data {
        let layers = Layer.layers(of: self)
        let tracks = layers.enumerated().map { ("V\($0 + 1)", playlist($1, number: $0 + 1)) }
        var elements = [profile] + cameras.enumerated().map { producer($1, id: "camera\($0 + 1)") }
        elements += [background] + tracks.map(\.1)
        var references = [XMLElement("track", ["producer": "background"])]
        references += layers.indices.map { XMLElement("track", ["producer": "V\($0 + 1)", "hide": "audio"]) }
        if let camera = cameras.first {
            for (index, name) in audioTracks.enumerated() {
                elements += [audioProducer(camera, index, name), audioPlaylist(index)]
                references.append(XMLElement("track", ["producer": "A\(index + 1)", "hide": "video"]))
            }
        }
        let mixing = audioTracks.indices.dropFirst().map { mix($0, firstTrack: layers.count + 1) }
        let placing = layers.enumerated().flatMap { number, layer in layer.clips.map { transition($0, number + 1) } }
        elements.append(
            XMLElement(
                "tractor", ["id": "timeline", "title": name, "in": "0", "out": "\(frameCount - 1)"],
                [.property("shotcut", "1")] + markers + references + mixing + placing))
        // Numbers are written with points, whatever the reader's language.
        let document = XMLElement(
            "mlt", ["LC_NUMERIC": "C", "version": "7.0.0", "title": name, "producer": "timeline"], elements)
        let lines = ["<?xml version=\"1.0\" encoding=\"utf-8\"?>"] + document.lines()
        return Data((lines.joined(separator: "\n") + "\n").utf8)
    }

    private var profile: XMLElement {
        let (size, rate) = (movie.size, movie.rate)
        let matrix =
            switch matrix {
            case .bt601: 601
            case .bt709: 709
            case .bt2020: 2020
            }
        return XMLElement(
            "profile",
            [
                "description": "\(size)", "width": "\(size.width)", "height": "\(size.height)", "progressive": "1",
                "sample_aspect_num": "1", "sample_aspect_den": "1", "display_aspect_num": "\(size.width)",
                "display_aspect_den": "\(size.height)", "frame_rate_num": "\(rate.numerator)",
                "frame_rate_den": "\(rate.denominator)", "colorspace": "\(matrix)",
            ])
    }

    private func producer(
        _ movie: Movie, id: String, caption: String? = nil, _ own: [XMLElement] = []
    ) -> XMLElement {
        XMLElement(
            "producer", ["id": id, "in": "0", "out": "\(frameCount - 1)"],
            [
                .property("length", "\(frameCount)"), .property("mlt_service", "avformat"),
                .property("resource", movie.fileName), .property("shotcut:caption", caption ?? movie.displayName),
            ] + own)
    }

    /// What is seen where no camera is.
    private var background: XMLElement {
        XMLElement(
            "producer", ["id": "background", "in": "0", "out": "\(frameCount - 1)"],
            [
                .property("length", "\(frameCount)"), .property("mlt_service", "color"),
                .property("resource", "#ff000000"),
            ])
    }

    /// One of the audio tracks of a movie, whose first track is its video.
    private func audioProducer(_ movie: Movie, _ index: Int, _ name: String) -> XMLElement {
        producer(
            movie, id: "audio\(index + 1)", caption: name.isEmpty ? nil : name,
            audioTracks.count > 1 ? [.property("audio_index", "\(index + 1)")] : [])
    }

    private func audioPlaylist(_ index: Int) -> XMLElement {
        XMLElement(
            "playlist", ["id": "A\(index + 1)"],
            [
                .property("shotcut:audio", "1"), .property("shotcut:name", "A\(index + 1)"),
                entry("audio\(index + 1)", 0..<frameCount),
            ])
    }

    /// Mixes an audio track with the first one.
    private func mix(_ index: Int, firstTrack: Int) -> XMLElement {
        XMLElement(
            "transition", ["in": "0", "out": "\(frameCount - 1)"],
            [
                .property("a_track", "\(firstTrack)"), .property("b_track", "\(firstTrack + index)"),
                .property("mlt_service", "mix"), .property("always_active", "1"), .property("sum", "1"),
            ])
    }

    private func playlist(_ layer: Layer, number: Int) -> XMLElement {
        var children: [XMLElement] = [.property("shotcut:video", "1"), .property("shotcut:name", "V\(number)")]
        var position = 0
        for clip in layer.clips {
            let gap = clip.frames.lowerBound - position
            if gap > 0 { children.append(XMLElement("blank", ["length": "\(gap)"])) }
            children.append(entry("camera\(clip.camera + 1)", clip.frames, crop(clip)))
            position = clip.frames.upperBound
        }
        return XMLElement("playlist", ["id": "V\(number)"], children)
    }

    /// All movies begin together: a clip is where it is in its own.
    private func entry(_ producer: String, _ frames: Range<Int>, _ filters: [XMLElement] = []) -> XMLElement {
        XMLElement(
            "entry", ["producer": producer, "in": "\(frames.lowerBound)", "out": "\(frames.upperBound - 1)"], filters)
    }

    /// What of the frame is not seen.
    private func crop(_ clip: Layer.Clip) -> [XMLElement] {
        guard cameras.indices.contains(clip.camera) else { return [] }
        let (size, crop) = (cameras[clip.camera].size, clip.crop)
        let edges = [
            ("left", crop.x), ("top", crop.y), ("right", Double(size.width) - crop.x - crop.width),
            ("bottom", Double(size.height) - crop.y - crop.height),
        ].map { ($0, max(0, Int($1.rounded()))) }
        guard edges.contains(where: { $1 > 0 }) else { return [] }
        return [
            XMLElement(
                "filter", [:], [.property("mlt_service", "crop")] + edges.map { .property($0, "\($1)") })
        ]
    }

    /// Draws a clip over what lies below. Its key frames count from its own beginning.
    private func transition(_ clip: Layer.Clip, _ track: Int) -> XMLElement {
        let rectangles = clip.keyFrames.map { key in
            let place = [key.x, key.y, key.width, key.height].map { "\(Int($0))" }.joined(separator: " ")
            return "\(key.frame - clip.frames.lowerBound)=\(place) \((key.opacity * 10000).rounded() / 10000)"
        }
        return XMLElement(
            "transition", ["in": "\(clip.frames.lowerBound)", "out": "\(clip.frames.upperBound - 1)"],
            [
                .property("a_track", "0"), .property("b_track", "\(track)"), .property("mlt_service", "affine"),
                .property("fill", "1"), .property("distort", "1"),
                .property("rect", rectangles.joined(separator: ";")),
            ])
    }

    /// Shotcut's markers.
    private var markers: [XMLElement] {
        guard !chapters.isEmpty else { return [] }
        let markers = chapters.enumerated().map { number, chapter in
            let place = Self.clock(chapter.start)
            return XMLElement(
                "properties", ["name": "\(number)"],
                [
                    .property("text", chapter.title), .property("start", place), .property("end", place),
                    .property("color", "#008000"),
                ])
        }
        return [XMLElement("properties", ["name": "shotcut:markers"], markers)]
    }

    private static func clock(_ time: MediaTime) -> String {
        let milliseconds = max(0, time.quotient(dividingBy: .millisecond))
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        func digits(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
        }
        return
            "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2)).\(digits(rest, 3))"
    }
}
