package import Foundation
import Imaging
import MediaTypes

/// MLT's XML, for melt, Kdenlive and Shotcut: a track for each layer with the cameras' own movies, and what places them and rounds
/// their corners. Shadows are not in it: what draws them differs from editor to editor.
///
/// All three read the same: each passes over the properties of the others (tried with Kdenlive 22.12, Shotcut 22.12 and MLT 7.12).
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
    package func mlt(name: String) throws -> Data {
        let layers = Layer.layers(of: self)
        // Once for each camera: a layer has a clip for each change of places.
        let requests = cameras.indices.map(request)
        let clips = cameras.indices.map { producer(id: "camera\($0 + 1)", camera: $0, requests[$0]) }
        // Kdenlive takes the first playlist for its clips.
        var elements = try [profile] + clips + [bin(requests), background, backgroundPlaylist]
        var references = [XMLElement("track", ["producer": Self.backgroundTrack])]
        // Kdenlive has audio below video.
        let audio = cameras.isEmpty ? [] : audioTracks
        for (index, name) in audio.enumerated() {
            elements += [audioProducer(index, name), audioPlaylist(index)]
            references.append(XMLElement("track", ["producer": "A\(index + 1)", "hide": "video"]))
        }
        for (index, layer) in layers.enumerated() {
            elements.append(playlist(layer, number: index + 1, requests))
            references.append(XMLElement("track", ["producer": "V\(index + 1)", "hide": "audio"]))
        }
        let mixing = audio.indices.map { joining(track: $0 + 1, to: 0, "mix", [.property("sum", "1")]) }
        let first = audio.count + 1
        // Each over the lowest, as Shotcut has it; or with it over the black, as Kdenlive has it, where it is not opaque all the time.
        let isOpaque = layers.first?.clips.allSatisfy { $0.opacities.isEmpty } ?? true
        let composing = layers.indices.dropFirst(isOpaque ? 1 : 0).map { layer in
            joining(
                track: first + layer, to: isOpaque ? first : 0, "composite",
                [.property("fill", "1"), .property("distort", "1")])
        }
        elements.append(
            XMLElement(
                "tractor", ["id": "timeline", "title": name, "in": "0", "out": "\(frameCount - 1)"],
                [.property("shotcut", "1")] + markers + references + mixing + composing))
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
        id: String, camera: Int, _ request: FrameRequest, caption: String? = nil, _ own: [XMLElement] = []
    ) -> XMLElement {
        let movie = cameras[camera]
        let caption = caption ?? movie.displayName
        let length = frameCount + request.offset
        return XMLElement(
            "producer", ["id": id, "in": "0", "out": "\(length - 1)"],
            [
                .property("length", "\(length)"), .property("mlt_service", "avformat"),
                .property("resource", movie.fileName), .property("shotcut:caption", caption),
                // By which Kdenlive knows that it is one clip, on whichever tracks. 1 is its folder.
                .property("kdenlive:id", "\(camera + 2)"), .property("kdenlive:clipname", caption),
            ] + (camera == 0 ? [] : [.property("video_delay", request.delay)]) + own)
    }

    /// All movies begin together, and the first camera's frames are those of the composed movie.
    private func request(of camera: Int) -> FrameRequest {
        camera == 0
            ? FrameRequest() : FrameRequest(of: cameras[camera], at: movie.rate, frameCount: frameCount)
    }

    /// The clips that editors list: Kdenlive's project bin, Shotcut's playlist. Without it and its version it is no project to Kdenlive.
    private func bin(_ requests: [FrameRequest]) throws -> XMLElement {
        let guides = chapters.map { chapter -> JSONValue in
            [
                "comment": .string(chapter.title), "pos": .number(Double(frame(at: chapter.start))),
                "type": .number(0),
            ]
        }
        let properties = try [
            ("version", "1.04"), ("decimalPoint", "."),
            ("guides", String(decoding: JSONEncoder().encode(guides), as: UTF8.self)),
        ]
        return XMLElement(
            "playlist", ["id": "main_bin"],
            properties.map { .property("kdenlive:docproperties.\($0)", $1) } + [.property("xml_retain", "1")]
                + requests.enumerated().map { entry("camera\($0 + 1)", 0..<(frameCount + $1.offset)) })
    }

    /// The name by which Kdenlive passes over it.
    private static let backgroundTrack = "black_track"

    /// What is seen where no camera is.
    private var background: XMLElement {
        XMLElement(
            "producer", ["id": "black", "in": "0", "out": "\(frameCount - 1)"],
            [
                .property("length", "\(frameCount)"), .property("mlt_service", "color"),
                .property("resource", "#ff000000"), .property("mlt_image_format", "rgba"),
                .property("set.test_audio", "0"),
            ])
    }

    /// Shotcut (22.12) ends by a signal where its first track is no playlist.
    private var backgroundPlaylist: XMLElement {
        XMLElement("playlist", ["id": Self.backgroundTrack], [entry("black", 0..<frameCount)])
    }

    /// One of the audio tracks of the first camera's movie, whose first track is its video.
    private func audioProducer(_ index: Int, _ name: String) -> XMLElement {
        producer(
            id: "audio\(index + 1)", camera: 0, FrameRequest(), caption: name.isEmpty ? nil : name,
            audioTracks.count > 1 ? [.property("audio_index", "\(index + 1)")] : [])
    }

    private func audioPlaylist(_ index: Int) -> XMLElement {
        XMLElement(
            "playlist", ["id": "A\(index + 1)"],
            [
                .property("shotcut:audio", "1"), .property("shotcut:name", "A\(index + 1)"),
                .property("kdenlive:audio_track", "1"), .property("kdenlive:track_name", "A\(index + 1)"),
                entry("audio\(index + 1)", 0..<frameCount),
            ])
    }

    private func playlist(_ layer: Layer, number: Int, _ requests: [FrameRequest]) -> XMLElement {
        var children: [XMLElement] = [
            .property("shotcut:video", "1"), .property("shotcut:name", "V\(number)"),
            .property("kdenlive:track_name", "V\(number)"),
        ]
        var position = 0
        for clip in layer.clips where cameras.indices.contains(clip.camera) {
            let gap = clip.frames.lowerBound - position
            if gap > 0 { children.append(XMLElement("blank", ["length": "\(gap)"])) }
            let source = clip.delayed(by: requests[clip.camera].offset)
            let filters = source.filters(of: cameras[clip.camera].size, in: movie.size)
            children.append(entry("camera\(clip.camera + 1)", source.frames, filters))
            position = clip.frames.upperBound
        }
        return XMLElement("playlist", ["id": "V\(number)"], children)
    }

    /// - Parameter frames: of the producer.
    private func entry(_ producer: String, _ frames: Range<Int>, _ filters: [XMLElement] = []) -> XMLElement {
        XMLElement(
            "entry", ["producer": producer, "in": "\(frames.lowerBound)", "out": "\(frames.upperBound - 1)"], filters)
    }

    /// What joins a track to another one as long as both last. Kdenlive has its own, and makes it anew where it is marked so.
    private func joining(track: Int, to other: Int, _ service: String, _ own: [XMLElement]) -> XMLElement {
        XMLElement(
            "transition", [:],
            [
                .property("a_track", "\(other)"), .property("b_track", "\(track)"),
                .property("mlt_service", service), .property("always_active", "1"),
                .property("internal_added", "237"),
            ] + own)
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
