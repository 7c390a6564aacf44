package import Foundation
import Imaging
package import MediaTypes

/// What of a project is needed to compose its movies again.
package struct ComposedTimeline: Sendable, Hashable {
    /// The composed movie's file, without a folder.
    package var movie: String
    /// The cameras' own, the main one's first: any bytes, as Linux has names.
    package var cameras: [[UInt8]]
    package var duration: MediaTime
    /// How players turn the composed movie.
    package var orientation: MovieOrientation
    /// Where layouts begin, as they were asked for.
    package var steps: [(start: MediaTime, choice: EditProject.LayoutChoice)] { zip(starts, choices).map { ($0, $1) } }
    package var chapters: [EditProject.Chapter]
    private var starts: [MediaTime] = []
    private var choices: [EditProject.LayoutChoice] = []

    /// Reads "talk.otio" as ``EditProject/otio(name:)`` writes it; what others have added to it is passed over.
    ///
    /// - Throws: a `DecodingError` where it is none of ours.
    package init(otio: Data) throws {
        let timeline = try JSONDecoder().decode(Timeline.self, from: otio)
        let tracks = timeline.tracks.children.filter { $0.kind == "Video" }.map(\.children)
        // What stood where is told of the composed movie alone.
        guard let own = timeline.metadata.rushes,
            let place = tracks.firstIndex(where: { $0.first?.metadata?.rushes != nil }),
            case let composed = tracks[place], let first = composed.first
        else {
            throw DecodingError.valueNotFound(
                Self.self, .init(codingPath: [], debugDescription: "there is no composed movie in it"))
        }
        movie = String(decoding: first.file, as: UTF8.self)
        cameras = tracks.indices.filter { $0 != place }.compactMap { tracks[$0].first?.file }
        guard !movie.isEmpty, !cameras.contains([]) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "a movie of it has no name of a file"))
        }
        orientation =
            own.rotation.flatMap { Int(exactly: $0) }
            .flatMap { MovieOrientation(degrees: $0, isMirrored: own.mirrored ?? false) } ?? .upright
        // Counted by the movie's time code.
        let begin = first.source_range?.start_time.seconds ?? 0
        let end = composed.compactMap { $0.source_range?.end }.max() ?? begin
        duration = Self.time(end - begin)
        chapters = timeline.tracks.markers.map {
            .init(start: Self.time($0.marked_range.start_time.seconds), title: $0.name)
        }
        for clip in composed {
            guard let said = clip.metadata?.rushes, let text = said.layout, let layout = try? Layout(text) else {
                continue
            }
            starts.append(Self.time((clip.source_range?.start_time.seconds ?? begin) - begin))
            var choice = EditProject.LayoutChoice(
                layout: layout, order: order(said.order),
                transition: Self.time(said.transition ?? 0),
                // Below zero where it was asked for before the last frames of that time had come.
                elapsed: MediaTime(seconds: said.elapsed ?? 0).clamped)
            if let from = said.from, let layout = try? Layout(from.layout) {
                choice.origin = .init(layout: layout, order: order(from.order))
            }
            choices.append(choice)
        }
    }

    /// The cameras as they were, unless that is no order of them.
    private func order(_ said: [Double]?) -> [Int] {
        let order = (said ?? []).compactMap { Int(exactly: $0) }
        return order.count == cameras.count && Set(order) == Set(cameras.indices) ? order : Array(cameras.indices)
    }

    /// A time as none of ours is below zero, and as long as others can be added to it: the numbers may be anybody's.
    private static func time(_ seconds: Double) -> MediaTime { max(.zero, MediaTime(seconds: seconds).clamped) }
}

// The names are OpenTimelineIO's.
extension ComposedTimeline {
    private struct Timeline: Decodable {
        let tracks: Stack
        let metadata: Metadata<Project>
    }

    private struct Project: Decodable {
        let rotation: Double?
        let mirrored: Bool?
    }

    private struct Metadata<Own: Decodable>: Decodable { let rushes: Own? }

    private struct Stack: Decodable {
        let children: [Track]
        let markers: [Marker]
    }

    private struct Track: Decodable {
        let kind: String
        let children: [Clip]
    }

    private struct Marker: Decodable {
        let name: String
        let marked_range: Span
    }

    private struct Clip: Decodable {
        struct Said: Decodable {
            let layout: String?
            let order: [Double]?
            let transition, elapsed: Double?
            let from: From?
        }

        struct From: Decodable {
            let layout: String
            let order: [Double]?
        }

        struct Reference: Decodable { let target_url: String }

        let source_range: Span?
        let metadata: Metadata<Said>?
        let media_references: [String: Reference]?

        /// Without a folder: files lie beside the project. Empty where its name would lead elsewhere.
        var file: [UInt8] {
            // First decoded: a slash may be encoded too.
            let path = Self.decoded(media_references?.values.first?.target_url ?? "")
            let name = path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
            return [Array(".".utf8), Array("..".utf8)].contains(name) || name.contains(0) ? [] : name
        }

        /// Each `%` with two digits of base 16 is a byte.
        private static func decoded(_ url: String) -> [UInt8] {
            var (bytes, rest) = ([UInt8](), Array(url.utf8)[...])
            while let byte = rest.popFirst() {
                let digits = rest.prefix(2)
                let isEscape =
                    byte == UInt8(ascii: "%") && digits.count == 2
                    && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
                bytes.append(isEscape ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? byte : byte)
                if isEscape { rest = rest.dropFirst(2) }
            }
            return bytes
        }
    }

    private struct Span: Decodable {
        let start_time, duration: Time

        /// In seconds.
        var end: Double { start_time.seconds + duration.seconds }
    }

    private struct Time: Decodable {
        let value, rate: Double

        var seconds: Double { rate > 0 ? value / rate : 0 }
    }
}
