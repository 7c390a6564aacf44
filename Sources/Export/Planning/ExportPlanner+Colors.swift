import Encoding
import GStreamer
import MovieFiles
import Workarounds

/// What an export's frames say of their colors: what the input's do, also where GStreamer has no word for it.
extension ExportPlanner {
    /// The colors that are written; nil where the encoder does it by itself: where they are those that its caps tell, and where nobody
    /// says what they are, so that those are written by which players show frames of this size.
    func colors(of opened: OpenedTrack, _ choice: EncoderSelection) -> Noted<ColorInformation?> {
        guard choice.toneMapper == nil, opened.track.graded == nil, target.edge == nil,
            var own = Colorimetry(choice.caps).map(ColorInformation.init)
        else { return Noted(nil) }
        var notes = PlanNotes()
        if own.matrix == 0 { (own.matrix, own.isFullRange) = (choice.matrixOfRGB, false) }
        let index = properties.indexColor
        let coded = opened.track.colors?.information
        if let coded, let index { notes.add(Self.contradiction(coded, index)) }
        guard var told = coded?.completed(by: index) ?? index ?? (choice.isRGB ? own : nil),
            told.isSpecified || choice.isRGB
        else { return Noted(nil, notes) }
        // What is made of RGB has a matrix, whatever is not known of the rest.
        if choice.isRGB { told.matrix = own.matrix }
        // Demuxers' caps are the index's, and some decoders believe them.
        let matrices = [told, index].compactMap { $0.map(Self.matrix) }
        // Otherwise the frames were brought to another matrix on their way here.
        guard !told.isKnownToCaps || matrices.contains(Self.matrix(own)) else { return Noted(nil, notes) }
        guard choice.encoder.colorimetry == nil else {
            if !told.isKnownToCaps {
                notes.add(
                    "The colors' matrix (\(told.matrixName ?? "\(told.matrix)")) is taken for \(own.matrixName ?? "another"), so colors differ."
                )
            }
            return Noted(nil, notes)
        }
        // The decoder's frames are what it says of them, in either range.
        told.isFullRange = choice.encoder.codec == .prores ? false : own.isFullRange
        if !keepsChroma(choice) { told.chromaLocation = nil }
        notes.add(untold(told, choice))
        // H.264's and HEVC's encoders say what caps do, and left is where chroma lies that nobody speaks of.
        if [.h264, .hevc].contains(choice.encoder.codec), told.hasDefaultLocation, told.colors == own.colors {
            return Noted(nil, notes)
        }
        return Noted(told, notes)
    }

    /// Whether the chroma of 4:2:0 stays where it lies.
    private func keepsChroma(_ choice: EncoderSelection) -> Bool {
        let format = choice.caps.first?["format"]?.stringValue ?? ""
        return ChromaSubsampling(rawFormat: format) == .yuv420 && choice.request.chroma == .yuv420
            && choice.encoder.codec != .prores && choice.filters.nodes.isEmpty
    }

    /// What is told where the frames and the index beside them say different things: decoders believe the frames.
    private static func contradiction(_ coded: ColorInformation, _ index: ColorInformation) -> [String] {
        let pairs = [
            (coded.primaries, index.primaries), (transfer(coded), transfer(index)), (matrix(coded), matrix(index)),
        ]
        guard pairs.contains(where: { $0 != $1 && $0 != 2 && $1 != 2 }) else { return [] }
        return [
            "The index says that the colors are \(index.summary), the frames say \(coded.summary); the movie says what the frames do."
        ]
    }

    /// What is told of colors that the movie's codec has no word for.
    private func untold(_ told: ColorInformation, _ choice: EncoderSelection) -> [String] {
        let name = choice.encoder.codec.displayName
        var lines: [String] = []
        if choice.encoder.codec == .vp9, !VP9Color.canTell(matrix: told.matrix) {
            lines.append(
                "\(name) has no word for the colors' matrix (\(told.matrixName ?? "\(told.matrix)")), so only the container says it."
            )
        }
        let hasLocation = [.h264, .hevc].contains(choice.encoder.codec)
        let known: Set<UInt8> = choice.encoder.codec == .av1 ? [0, 2] : [0]
        if !hasLocation, let location = told.chromaLocation, !known.contains(location) {
            lines.append(
                "\(name) has no word for where the colors' samples lie (\(Self.locations[Int(location)] ?? "\(location)"))."
            )
        }
        return lines
    }

    /// As ffmpeg names them.
    private static let locations = [0: "left", 1: "center", 2: "topleft", 3: "top", 4: "bottomleft", 5: "bottom"]

    /// BT.601 has two numbers for one matrix.
    private static func matrix(_ color: ColorInformation) -> UInt16 { color.matrix == 5 ? 6 : color.matrix }

    /// BT.709's function has four numbers: its own, and those of BT.601 and BT.2020.
    private static func transfer(_ color: ColorInformation) -> UInt16 {
        [6, 14, 15].contains(color.transfer) ? 1 : color.transfer
    }
}

extension ColorInformation {
    /// Whether caps (1.22) have a word for the matrix.
    fileprivate var isKnownToCaps: Bool { [0, 1, 4, 5, 6, 7, 9].contains(matrix) }

    fileprivate var hasDefaultLocation: Bool { chromaLocation == nil || chromaLocation == 0 }

    fileprivate var colors: [UInt16] { [primaries, transfer, matrix] }

    /// For people: primaries, transfer and matrix, as ffmpeg names them.
    fileprivate var summary: String {
        [primariesName, transferName, matrixName].map { $0 ?? "unspecified" }.joined(separator: ", ")
    }
}

extension EncoderSelection {
    var isRGB: Bool { Colorimetry(caps)?.matrix == 0 }

    /// The matrix, as a code point, by which luma and chroma are made of RGB: that which players expect of frames of this size.
    var matrixOfRGB: UInt16 { filters.size.height < 720 ? 6 : 1 }

    /// The encoder, with frames of luma and chroma in the place of RGB.
    var encoderOfPlanes: VideoEncoder {
        guard isRGB, encoder.colorimetry == nil else { return encoder }
        var encoder = encoder
        // Range, matrix, transfer and primaries, by GStreamer's numbers.
        encoder.colorimetry = matrixOfRGB == 1 ? "2:3:*:*" : "2:4:*:*"
        return encoder
    }

    /// The frames as the encoder is told of them: x265 does not open with the primaries of EBU 3213, which are written behind it.
    var encodedCaps: Caps {
        guard let text = caps.first?["colorimetry"]?.stringValue, Colorimetry(caps)?.primaries == 22 else {
            return caps
        }
        let parts = text.split(separator: ":")
        guard parts.count == 4 else { return caps }
        return caps.setting("colorimetry", to: .string(parts.dropLast().joined(separator: ":") + ":0"))
    }
}
