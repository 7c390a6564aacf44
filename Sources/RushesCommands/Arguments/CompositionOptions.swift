import ArgumentParser
import Encoding
import Imaging

/// Several cameras in one frame.
struct CompositionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Another camera, whose frames are drawn into the main one's; up to three times. Append ,rotate=90 \
            (clockwise), ,mirror, ,size=640x480 or ,rate=15 as for --camera.
            """, valueName: "camera"))
    var inset: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Where the cameras stand: bottom-right if left out; such as top-left,size=30%,radius=24,border=2, side-by-side, \
            stacked, grid, main-only or x=60%,y=5%,width=35%; help draws them.
            """, valueName: "layout"))
    var layout: String?

    @Flag(
        help: """
            Each camera gets a movie of its own too, "talk – HD Webcam.mov", with the same audio; talk.otio and talk.mlt are \
            projects to edit them.
            """)
    var alsoSeparate = false

    @Option(
        help: ArgumentHelp(
            """
            How those are encoded, at the codec's usual quality and speed; as the composed movie if left out, or, where --codec \
            is left out too, as is chosen for each.
            """, valueName: "codec"))
    var separateCodec: EncodedCodecArgument?

    /// The layout that asks for a drawing of all.
    static let help = "help"

    func validate() throws {
        guard !alsoSeparate || !inset.isEmpty else {
            throw ValidationError("--also-separate is for several cameras; give another one with --inset.")
        }
        guard separateCodec == nil || alsoSeparate else {
            throw ValidationError("--separate-codec is for --also-separate; give that too.")
        }
        guard inset.count <= 3 else { throw ValidationError("--inset is given up to three times.") }
        guard let layout, layout != Self.help else { return }
        _ = try LayoutArgument.layout(layout)
        if inset.isEmpty { throw ValidationError("--layout places a second camera; give one with --inset.") }
    }
}

/// A codec of frames that are encoded here, which are not copied.
struct EncodedCodecArgument: ExpressibleByArgument, Equatable {
    let codec: VideoCodec

    init?(argument: String) {
        guard let codec = VideoCodec(argument: argument), VideoCodec.tabulated.contains(codec) else { return nil }
        self.codec = codec
    }

    static var allValueStrings: [String] { VideoCodec.tabulated.map(\.rawValue) }
}

/// A layout as it is typed.
enum LayoutArgument {
    /// - Throws: a `ValidationError` that says what is wrong with it.
    static func layout(_ text: String) throws -> Layout {
        do { return try Layout(text) } catch { throw ValidationError(Sentence("\(error)").text) }
    }

    /// Those of the keys 1 to 7.
    static let keys: [Layout.Arrangement] = [
        .corner(.topLeft), .corner(.topRight), .corner(.bottomLeft), .corner(.bottomRight), .sideBySide, .stacked,
        .grid,
    ]

    /// The layout of a key, drawn as the one that was asked for.
    static func layout(ofKey key: Int, like asked: Layout) -> Layout? {
        guard keys.indices.contains(key - 1) else { return nil }
        var layout = Layout(keys[key - 1])
        if case .corner = asked.arrangement, case .corner = layout.arrangement {
            (layout.size, layout.margin) = (asked.size, asked.margin)
        }
        (layout.cornerRadius, layout.borderWidth, layout.hasShadow) = (
            asked.cornerRadius, asked.borderWidth, asked.hasShadow
        )
        return layout
    }
}
