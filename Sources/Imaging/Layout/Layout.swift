/// Where the frames of two to four cameras stand in one: the first is the main one, the others are insets.
///
/// It knows no sizes: the same layout serves any output and any cameras. As text it is what `--layout` takes, such as
/// `bottom-right,size=25%,margin=3%,radius=24,border=2,shadow`.
public struct Layout: Sendable, Hashable {
    /// A corner of the main frame.
    public enum Corner: String, Sendable, Hashable, CaseIterable {
        case topLeft = "top-left"
        case topRight = "top-right"
        case bottomLeft = "bottom-left"
        case bottomRight = "bottom-right"
    }

    /// A length in the output.
    public enum Length: Sendable, Hashable {
        /// Pixels of the output.
        case pixels(Double)
        /// From 0 to 1: of the output's width or height, whichever way the length goes; of a margin, of the smaller of the two.
        case fraction(Double)
    }

    /// Where frames stand.
    public enum Arrangement: Sendable, Hashable {
        /// The main frame fills the output; insets lie in a corner of it, more than one in a column.
        case corner(Corner)
        /// The main frame fills the output; one inset lies where it is told. Without a width or a height the inset's own
        /// shape gives it.
        case rectangle(x: Length, y: Length, width: Length?, height: Length?)
        /// Beside each other, all as wide.
        case sideBySide
        /// Above each other, all as high.
        case stacked
        /// In two columns; two cameras beside each other.
        case grid
        /// The main frame alone.
        case mainOnly
        /// The first inset alone.
        case insetOnly
    }

    /// What becomes of a frame whose place has another shape.
    public enum Scaling: String, Sendable, Hashable {
        /// All of it is shown; what remains of its place shows what lies behind, or black.
        case fit
        /// It fills its place; what has no space, on two sides alike, is cut away.
        case fill
    }

    /// Where frames stand.
    public var arrangement: Arrangement
    /// The width and height that insets in a corner have at most: a quarter unless set.
    public var size: Length = .fraction(0.25)
    /// Between insets and the output's edges, and between frames; 3 % in corners, else none, unless set.
    public var margin: Length
    /// How round the corners of insets are, in pixels of an output whose smaller side has 1080; scaled with the output. 0 or more.
    public var cornerRadius = 0.0
    /// The width of the white border around insets, within them, in pixels as those of ``cornerRadius``. 0 or more.
    public var borderWidth = 0.0
    /// Whether insets cast a soft shadow.
    public var hasShadow = false
    /// What becomes of frames of another shape than their place.
    public var scaling = Scaling.fit

    /// Without round corners, border and shadow; frames are shown whole.
    public init(_ arrangement: Arrangement) {
        self.arrangement = arrangement
        if case .corner = arrangement { margin = .fraction(0.03) } else { margin = .fraction(0) }
    }
}

/// Which of several cameras are shown for the moment.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ShownCameras: String, Sendable, CaseIterable {
    /// All, as they stood before.
    case all
    /// The main one alone.
    case main
    /// The first inset alone.
    case inset
}
