import CLibAV
package import Errors
import Imaging
package import MediaTypes
package import MovieFiles

/// Draws subtitles that are images: each is seen until the next one, or its own end.
package final class ImagePainter: SubtitlePainter {
    private struct Shown {
        var begin: MediaTime
        /// nil: the next one's beginning.
        var end: MediaTime?
        var image: OverlayImage?
    }

    private let stream: SubtitleStream
    private let canvas: SubtitleCanvas
    private var decoder: PacketDecoder
    /// The packet that is decoded next.
    private var next = 0
    private var latest: Shown?
    private var isSeen: Bool?
    /// The time that was asked for last.
    private var asked: MediaTime?
    private var number = 0

    /// - Throws: ``RushesError`` where there is no library, and for subtitles that nothing decodes.
    package init(_ stream: SubtitleStream, on canvas: SubtitleCanvas) throws(RushesError) {
        try SubtitleLibraries.load(for: stream.codec)
        (self.stream, self.canvas) = (stream, canvas)
        decoder = try Self.decoder(stream)
    }

    private static func decoder(_ stream: SubtitleStream) throws(RushesError) -> PacketDecoder {
        guard let decoder = PacketDecoder(stream.codec, header: stream.header) else {
            throw RushesError(
                .badInput,
                "The subtitles cannot be drawn: libavcodec has no decoder for them; install libavcodec-extra.")
        }
        return decoder
    }

    package var lacksLetters: Bool { false }

    package func image(at time: MediaTime) -> SubtitleChange {
        let old = number
        // Back to an earlier time; an image may also begin later than its packet.
        if let asked, time < asked, let latest, time < latest.begin { restart() }
        asked = time
        while next < stream.packets.count, stream.packets[next].begin <= time {
            decode(stream.packets[next])
            next += 1
        }
        let image = latest.flatMap { $0.begin <= time && time < $0.end ?? .max ? $0.image : nil }
        defer { isSeen = image != nil }
        if number == old, isSeen == (image != nil) { return .none }
        return .image(image)
    }

    /// Images may be made of parts that came before.
    private func restart() {
        guard let again = try? Self.decoder(stream) else { return }
        (decoder, next, latest) = (again, 0, nil)
        number += 1
    }

    private func decode(_ packet: SubtitleStream.Packet) {
        let duration = packet.duration?.milliseconds ?? 0
        let shown = decoder.decode(packet.data, duration: duration) { subtitle in
            let begin = packet.begin + MediaTime(milliseconds: subtitle.start_display_time)
            // Nothing and for ever both mean that nobody knows.
            let length = subtitle.end_display_time
            let own = length == 0 || length == .max ? nil : packet.begin + MediaTime(milliseconds: length)
            return Shown(
                begin: begin, end: own ?? packet.duration.map { packet.begin + $0 }, image: image(subtitle.images))
        }
        guard let shown else { return }
        latest = shown
        number += 1
    }

    private func image(_ rects: [AVSubtitleRect]) -> OverlayImage? {
        let screen = decoder.screen.map { VideoSize($0.width, $0.height) } ?? VideoSize(720, 576)
        let images = rects.compactMap { rect -> OverlayImage? in
            guard rect.w > 0, rect.h > 0, Int64(rect.w) * Int64(rect.h) <= PacketDecoder.mostPixels,
                let indices = rect.data.0, let colors = rect.data.1
            else { return nil }
            let palette = colors.withMemoryRebound(to: UInt32.self, capacity: 256) { colors in
                (0..<min(256, Int(rect.nb_colors))).map { index in
                    let bytes = [16, 8, 0, 24].map { Double(colors[index] >> $0 & 0xFF) / 255 }
                    let color = FrameColor(red: bytes[0], green: bytes[1], blue: bytes[2])
                    return (color: canvas.light.color(color), opacity: bytes[3])
                }
            }
            let area = PixelRectangle(x: Int(rect.x), y: Int(rect.y), width: Int(rect.w), height: Int(rect.h))
            return OverlayImage(area, indices: indices, bytesPerRow: Int(rect.linesize.0), palette: palette)
                .scaled(to: canvas.place(area, on: screen))
        }
        guard let area = images.map(\.area).reduce(nil, { (all: PixelRectangle?, area) in all?.union(area) ?? area })
        else { return nil }
        var all = OverlayImage(area)
        for image in images { all.cover(image) }
        return all
    }
}

extension MediaTime {
    fileprivate init(milliseconds: UInt32) { self.init(nanoseconds: Int64(milliseconds) * 1_000_000) }
}
