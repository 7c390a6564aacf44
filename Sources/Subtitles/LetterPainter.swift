import CASS
package import Errors
import Imaging
package import MediaTypes
package import MovieFiles
import Threads

/// Draws subtitles of letters, with libass: their outlines, places, fonts and movements are those of players that use it too.
package final class LetterPainter: SubtitlePainter {
    private let letters: LetterLibrary
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private let track: ScriptTrack
    private let canvas: SubtitleCanvas
    private let warnings: Warnings

    /// What the library says, as far as it matters.
    private final class Warnings: Sendable {
        let lackLetters = Locked(false)
    }

    /// - Throws: ``RushesError`` where there is no font or no library, and for subtitles that nothing decodes.
    package init(_ stream: SubtitleStream, on canvas: SubtitleCanvas) throws(RushesError) {
        let refusal = RushesError(.badInput, "The subtitles cannot be drawn: libass does not take them.")
        try SubtitleLibraries.load(for: stream.codec)
        let letters = try LetterLibrary.find()
        guard let library = letters.begin() else { throw refusal }
        let warnings = Warnings()
        defer { withExtendedLifetime(warnings) {} }
        letters.setMessages(
            library,
            { _, format, _, data in
                guard let format, let data, String(cString: format).contains("failed to find any fallback") else {
                    return
                }
                Unmanaged<Warnings>.fromOpaque(data).takeUnretainedValue().lackLetters.withLock { $0 = true }
            }, Unmanaged.passUnretained(warnings).toOpaque())
        guard let renderer = letters.makeRenderer(library) else {
            letters.end(library)
            throw refusal
        }
        letters.setExtractsFonts(library, 1)
        for font in stream.fonts {
            font.data.withUnsafeBytes { data in
                data.withMemoryRebound(to: CChar.self) {
                    letters.addFont(library, font.name, $0.baseAddress, Int32(clamping: $0.count))
                }
            }
        }
        letters.setFrameSize(renderer, Int32(canvas.size.width), Int32(canvas.size.height))
        letters.setStorageSize(renderer, Int32(canvas.source.width), Int32(canvas.source.height))
        letters.setPixelAspect(renderer, canvas.pixelAspect)
        letters.setFonts(renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
        let hasFont = Self.draws("A", letters, library, renderer)
        warnings.lackLetters.withLock { $0 = false }
        guard hasFont, let track = ScriptTrack(stream, letters, library) else {
            letters.freeRenderer(renderer)
            letters.end(library)
            throw hasFont
                ? refusal
                : RushesError(
                    .badInput, "There is no font to draw the subtitles with; install one, such as fonts-dejavu-core.")
        }
        (self.letters, self.library, self.renderer) = (letters, library, renderer)
        (self.track, self.canvas, self.warnings) = (track, canvas, warnings)
    }

    deinit {
        letters.freeTrack(track.pointer)
        letters.freeRenderer(renderer)
        letters.end(library)
    }

    private static func draws(
        _ text: String, _ letters: LetterLibrary, _ library: OpaquePointer, _ renderer: OpaquePointer
    ) -> Bool {
        let script = """
            [Script Info]
            ScriptType: v4.00+
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,\(text)

            """
        let stream = SubtitleStream(.script, header: Array(script.utf8), packets: [])
        guard let track = ScriptTrack(stream, letters, library) else { return false }
        defer { letters.freeTrack(track.pointer) }
        var change: Int32 = 0
        return letters.render(renderer, track.pointer, 0, &change) != nil
    }

    package var lacksLetters: Bool { warnings.lackLetters.withLock { $0 } }
    private var isFirst = true

    package func image(at time: MediaTime) -> SubtitleChange {
        var change: Int32 = 0
        // Cut, as a text that begins within this millisecond is not there yet.
        let images = letters.render(renderer, track.pointer, max(0, time.nanoseconds) / 1_000_000, &change)
        guard change != 0 || isFirst else { return .none }
        isFirst = false
        var parts: [ASS_Image] = []
        var next = images
        while let image = next?.pointee {
            if image.w > 0, image.h > 0, image.bitmap != nil { parts.append(image) }
            next = image.next
        }
        guard let area = parts.map(\.area).reduce(nil, { (all: PixelRectangle?, area) in all?.union(area) ?? area })
        else { return .image(nil) }
        var result = OverlayImage(area)
        for part in parts {
            // Red, green, blue, and how transparent it is.
            let bytes = [24, 16, 8, 0].map { Double(part.color >> $0 & 0xFF) / 255 }
            let color = canvas.light.color(FrameColor(red: bytes[0], green: bytes[1], blue: bytes[2]))
            result.cover(
                part.area, mask: part.bitmap, bytesPerRow: Int(part.stride), color: color, opacity: 1 - bytes[3])
        }
        return .image(result)
    }
}

extension ASS_Image {
    fileprivate var area: PixelRectangle {
        PixelRectangle(x: Int(dst_x), y: Int(dst_y), width: Int(w), height: Int(h))
    }
}
