public import Errors

extension Layout: CustomStringConvertible {
    /// Reads `bottom-right,radius=24`, `side-by-side`, `x=10%,y=40,width=25%`.
    ///
    /// First where frames stand: `top-left`, `top-right`, `bottom-left`, `bottom-right`, `side-by-side`, `stacked`, `grid`, `main-only`,
    /// `inset-only`, or `x=` and `y=` with `width=`, `height=` or both; then, in any order, `size=`, `margin=`, `radius=`, `border=`,
    /// `shadow`, and `fit` or `fill`. Lengths are pixels or percent; radius and border are pixels as ``cornerRadius`` tells.
    ///
    /// - Throws: `RushesError` with the code `invalidSettings` where a word is unknown, a value is none, or a corner's inset is larger than the main frame.
    public init(_ text: String) throws(RushesError) {
        self = try LayoutReader(text).layout()
    }

    /// The text that it can be read from; what is left at its default is omitted.
    public var description: String {
        var parts: [String]
        switch arrangement {
        case .corner(let corner): parts = [corner.rawValue]
        case .rectangle(let x, let y, let width, let height):
            parts =
                ["x=\(x.text)", "y=\(y.text)"]
                + [width.map { "width=\($0.extent)" }, height.map { "height=\($0.extent)" }].compactMap(\.self)
        case .sideBySide: parts = ["side-by-side"]
        case .stacked: parts = ["stacked"]
        case .grid: parts = ["grid"]
        case .mainOnly: parts = ["main-only"]
        case .insetOnly: parts = ["inset-only"]
        }
        let usual = Layout(arrangement)
        if size != usual.size { parts.append("size=\(size.extent)") }
        if margin != usual.margin { parts.append("margin=\(margin.text)") }
        if cornerRadius != 0 { parts.append("radius=\(Length.text(cornerRadius))") }
        if borderWidth != 0 { parts.append("border=\(Length.text(borderWidth))") }
        if hasShadow { parts.append("shadow") }
        if scaling != usual.scaling { parts.append(scaling.rawValue) }
        return parts.joined(separator: ",")
    }
}

extension Layout.Length {
    /// As it is read: `480` or `25%`.
    package var text: String {
        switch self {
        case .pixels(let pixels): Self.text(pixels)
        case .fraction(let fraction): Self.text((fraction * 1e6).rounded() / 1e4) + "%"
        }
    }

    /// How large an inset is, as it is read: a small number alone is not, as it could be meant as percent.
    var extent: String {
        if case .pixels(let pixels) = self, pixels <= Self.ambiguous { text + "px" } else { text }
    }

    /// In pixels.
    static let ambiguous = 100.0

    static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    }
}
