import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage

/// What is done to each frame between its decoder and its encoder: cut, turned, scaled, in this order.
struct VideoFilters: Sendable {
    private(set) var nodes: [PipelineDescription.Node] = []
    /// What comes out.
    private(set) var size: VideoSize
    /// Whether what lies in the frames is still where it was.
    private(set) var change = Change.none
    private(set) var isScaled = false
    /// Sentences on what comes out otherwise than a person may expect.
    private(set) var notes: [String] = []
    /// For people: ", cut to 640×360, …"; empty where nothing is done.
    private(set) var summary = ""

    enum Change: Comparable { case none, scaled, moved }

    /// What sizes in whole pairs of pixels do to the shape of a pixel.
    private static let tolerance = 0.02

    /// - Parameters:
    ///   - shape: how wide a pixel is for its height.
    ///   - squares: whether pixels are to become square; else they stay as they are.
    /// - Throws: ``RushesError`` for a part that lies outside of the frame.
    init(
        _ target: ExportTarget, _ properties: InputProperties, stored: VideoSize, shape: Fraction,
        squares: Bool = false
    ) throws {
        size = stored
        let settings = target.settings
        if let filter = settings.videoFilter { summary += ", filtered by \(filter)" }
        if target.tempo != 1 {
            summary += ", \(Fraction(Int((target.tempo * 100).rounded()), 100).rateText) times as fast"
        }
        if let table = settings.lookupTable { summary += ", colors by \(table.lastComponent?.string ?? table.string)" }
        if let area = settings.crop { try crop(area) }
        if target.turnsFrames, properties.orientation != .upright { turn(properties.orientation) }
        let swaps = properties.orientation.swapsWidthAndHeight
        let shape = target.turnsFrames && swaps ? Fraction(shape.denominator, shape.numerator) : shape
        if squares {
            square(shape.doubleValue, within: settings.size, settings.scale)
        } else if let wanted = settings.size {
            try scale(to: wanted, shape)
        } else if let wanted = settings.scale {
            scale(to: wanted, shape, isShownTurned: !target.turnsFrames && swaps)
        } else {
            makeEven()
        }
        if settings.burntSubtitles != nil { summary += ", with subtitles in the frames" }
    }

    private mutating func crop(_ area: CropArea) throws {
        guard area.x >= 0, area.y >= 0, area.size.width > 0, area.size.height > 0,
            area.x + area.size.width <= size.width, area.y + area.size.height <= size.height
        else {
            throw RushesError(
                .invalidSettings,
                "\(Term.crop) \(area.size.width)x\(area.size.height)+\(area.x)+\(area.y) lies outside of the video's frame, "
                    + "which is \(size).")
        }
        cut(
            left: area.x, top: area.y, right: size.width - area.x - area.size.width,
            bottom: size.height - area.y - area.size.height)
        summary += ", cut to \(size)"
    }

    private mutating func cut(left: Int, top: Int, right: Int, bottom: Int) {
        nodes.append(
            .make(
                "videocrop",
                ["left": .int(left), "top": .int(top), "right": .int(right), "bottom": .int(bottom)]))
        size = VideoSize(size.width - left - right, size.height - top - bottom)
        change = .moved
    }

    private mutating func turn(_ orientation: MovieOrientation) {
        nodes += orientation.flips
        change = .moved
        if orientation.swapsWidthAndHeight { size = VideoSize(size.height, size.width) }
        summary += ", turned"
    }

    /// The shape of pixels stays.
    private mutating func scale(to wanted: FrameScale, _ shape: Fraction, isShownTurned: Bool) {
        let (width, height) = (Double(size.width) * shape.doubleValue, Double(size.height))
        let factor = wanted.factor(isShownTurned ? (height, width) : (width, height))
        func even(_ side: Int) -> Int { max(2, Int((Double(side) * factor / 2).rounded()) * 2) }
        let new = VideoSize(even(size.width), even(size.height))
        guard factor != 1, new != size else { return makeEven() }
        convert(to: new, shape)
    }

    /// - Parameter shape: of the pixels that come out.
    private mutating func convert(to new: VideoSize, _ shape: Fraction) {
        nodes.append(.make("videoconvertscale", ["dither": "none", "method": "lanczos", "add-borders": false]))
        nodes.append(
            .caps(
                Caps(
                    "video/x-raw",
                    [
                        "width": .int(Int64(new.width)), "height": .int(Int64(new.height)),
                        "pixel-aspect-ratio": .fraction(shape),
                    ])))
        summary += ", scaled to \(new)"
        change = max(change, .scaled)
        size = new
    }

    private mutating func scale(to wanted: VideoSize, _ shape: Fraction) throws {
        let even = VideoSize(wanted.width & ~1, wanted.height & ~1)
        guard even.width > 0, even.height > 0 else {
            throw RushesError(
                .invalidSettings, "\(Term.size) \(wanted) is too small; the smallest is 2x2.")
        }
        if even != size {
            nodes.append(.make("videoconvertscale", ["dither": "none", "method": "lanczos"]))
            // The shape of the pixels is left open: what is shown keeps its proportions.
            nodes.append(
                .caps(Caps("video/x-raw", ["width": .int(Int64(even.width)), "height": .int(Int64(even.height))])))
            summary += ", scaled to \(even)"
            change = max(change, .scaled)
        }
        let new =
            shape.doubleValue * Double(size.width) / Double(size.height) * Double(even.height) / Double(even.width)
        let isSquare = abs(new - 1) < Self.tolerance
        if !isSquare, abs(new / shape.doubleValue - 1) >= Self.tolerance {
            let ratio = (new * 100).rounded() / 100
            notes = [
                "Pixels of \(even) are \(ratio) times as wide as high, as the frame has another shape; \(Term.size) 720p, 1280x or x720 "
                    + "keeps that of the pixels."
            ]
        }
        size = even
    }

    /// Makes pixels square. A size that is wanted is not exceeded, and what is shown keeps its proportions.
    private mutating func square(_ aspect: Double, within wanted: VideoSize?, _ scale: FrameScale?) {
        let seen = (width: Double(size.width) * max(aspect, 1), height: Double(size.height) / min(aspect, 1))
        let factor =
            wanted.map { min(Double($0.width) / seen.width, Double($0.height) / seen.height) } ?? scale?.factor(seen)
            ?? 1
        let new = VideoSize(
            max(1, Int((seen.width * factor).rounded())), max(1, Int((seen.height * factor).rounded())))
        guard new != size else { return }
        convert(to: new, Fraction(1))
        isScaled = true
    }

    /// All encoders here take pairs of pixels only; one line or column too many is cut off.
    private mutating func makeEven() {
        let (right, bottom) = (size.width > 1 ? size.width % 2 : 0, size.height > 1 ? size.height % 2 : 0)
        if right + bottom > 0 {
            cut(left: 0, top: 0, right: right, bottom: bottom)
            summary += ", cut to \(size) as the encoder takes even sizes only"
        }
    }
}

extension Caps {
    /// The same with one field changed, also its features.
    func setting(_ field: String, to value: FieldValue?) -> Caps {
        guard let first else { return self }
        var fields = first.fields
        fields[field] = value
        return Caps(first.name, fields)
    }
}
