import Errors
import Foundation
import MediaTypes

/// Reads the text of a layout, word by word.
struct LayoutReader {
    private static let arrangements: [(String, Layout.Arrangement)] =
        Layout.Corner.allCases.map { ($0.rawValue, .corner($0)) } + [
            ("side-by-side", .sideBySide), ("stacked", .stacked), ("grid", .grid), ("main-only", .mainOnly),
            ("inset-only", .insetOnly),
        ]
    private static let sides = ["x", "y", "width", "height"]
    private static let settings = ["size", "margin", "radius", "border"]
    private static let flags = ["shadow", "fit", "fill"]

    private let text: String
    private var arrangement: Layout.Arrangement?
    private var values: [String: String] = [:]
    private var words: Set<String> = []

    init(_ text: String) throws(RushesError) {
        self.text = text
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        for part in parts {
            let word = part.trimmingCharacters(in: .whitespaces).lowercased()
            guard !word.isEmpty else {
                throw RushesError(
                    .invalidSettings,
                    "the layout “\(text)” has an empty word; write it like bottom-right,radius=24")
            }
            if let equals = word.firstIndex(of: "=") {
                try read(String(word[..<equals]), String(word[word.index(after: equals)...]))
            } else {
                try read(word)
            }
        }
    }

    private mutating func read(_ word: String) throws(RushesError) {
        if let known = Self.arrangements.first(where: { $0.0 == word })?.1 {
            guard arrangement == nil else {
                throw RushesError(.invalidSettings, "the layout “\(text)” names two places for frames; keep one")
            }
            arrangement = known
        } else if Self.flags.contains(word) {
            words.insert(word)
        } else if (Self.sides + Self.settings).contains(word) {
            throw RushesError(
                .invalidSettings,
                "“\(word)” of a layout needs a value, as in \(word)=\(word == "radius" ? "24" : "10%")")
        } else {
            throw unknown(word, among: Self.arrangements.map(\.0) + Self.flags)
        }
    }

    private mutating func read(_ key: String, _ value: String) throws(RushesError) {
        guard (Self.sides + Self.settings).contains(key) else {
            throw unknown(key, among: Self.sides + Self.settings + Self.flags)
        }
        guard values.updateValue(value, forKey: key) == nil else {
            throw RushesError(.invalidSettings, "the layout “\(text)” has \(key)= twice; leave one")
        }
    }

    private func unknown(_ word: String, among known: [String]) -> RushesError {
        if let near = Spelling.nearest(word, among: known) {
            return RushesError(.invalidSettings, "“\(word)” is not part of a layout; did you mean \(near)?")
        }
        return RushesError(
            .invalidSettings,
            "“\(word)” is not part of a layout; it can have \(Self.arrangements.map(\.0).joined(separator: ", ")), "
                + "\((Self.sides + Self.settings).map { $0 + "=" }.joined(separator: ", ")), \(Self.flags.joined(separator: ", "))"
        )
    }

    func layout() throws(RushesError) -> Layout {
        var layout = Layout(try place())
        if let size = try extent("size") { layout.size = size }
        if case .fraction(0) = layout.size {
            throw RushesError(.invalidSettings, "an inset of size=0% cannot be seen; main-only shows none")
        }
        if case .fraction(let share) = layout.size, share > 1 {
            throw RushesError(
                .invalidSettings,
                "an inset of size=\(layout.size.text) is larger than the main frame; give at most 100%")
        }
        if let margin = try length("margin") { layout.margin = margin }
        if let radius = try pixels("radius") { layout.cornerRadius = radius }
        if let border = try pixels("border") { layout.borderWidth = border }
        layout.hasShadow = words.contains("shadow")
        guard !words.isSuperset(of: ["fit", "fill"]) else {
            throw RushesError(
                .invalidSettings, "a layout either fits frames into their places or fills those; keep fit or fill")
        }
        if words.contains("fill") { layout.scaling = .fill }
        return layout
    }

    private func place() throws(RushesError) -> Layout.Arrangement {
        let given = Self.sides.filter { values[$0] != nil }
        if let arrangement {
            if let side = given.first {
                throw RushesError(
                    .invalidSettings,
                    "\(side)= says where the inset is, and so does another word of “\(text)”; keep one of them")
            }
            return arrangement
        }
        guard let x = try length("x"), let y = try length("y") else {
            let missing = given.isEmpty ? "does not say where frames are" : "lacks \(values["x"] == nil ? "x=" : "y=")"
            throw RushesError(
                .invalidSettings, "the layout “\(text)” \(missing); write bottom-right, or x=70%,y=70%,width=25%")
        }
        let (width, height) = (try extent("width"), try extent("height"))
        guard width != nil || height != nil else {
            throw RushesError(
                .invalidSettings, "the layout “\(text)” does not say how large the inset is; add width=25%")
        }
        return .rectangle(x: x, y: y, width: width, height: height)
    }

    /// How large an inset is. A small number alone is likelier meant as percent.
    private func extent(_ key: String) throws(RushesError) -> Layout.Length? {
        let length = try length(key)
        if case .pixels(let pixels)? = length, pixels <= Layout.Length.ambiguous, let value = values[key],
            !value.hasSuffix("px")
        {
            throw RushesError(
                .invalidSettings,
                "\(key)=\(value) would be so many pixels; write \(key)=\(value)%, or \(key)=\(value)px for those")
        }
        return length
    }

    private func length(_ key: String) throws(RushesError) -> Layout.Length? {
        guard let value = values[key] else { return nil }
        if value.hasSuffix("%"), let percent = Self.number(value.dropLast()) { return .fraction(percent / 100) }
        let digits = value.hasSuffix("px") ? value.dropLast(2) : value[...]
        if let pixels = Self.number(digits) { return .pixels(pixels) }
        throw RushesError(
            .invalidSettings,
            "\(key)=\(value) is not a length; write pixels, as in \(key)=480, or percent as in \(key)=25%"
        )
    }

    private func pixels(_ key: String) throws(RushesError) -> Double? {
        guard let value = values[key] else { return nil }
        let digits = value.hasSuffix("px") ? value.dropLast(2) : value[...]
        guard let pixels = Self.number(digits), pixels <= 1080 else {
            throw RushesError(
                .invalidSettings,
                "\(key)=\(value) is not a number of pixels from 0 to 1080; write \(key)=\(key == "radius" ? 24 : 2)")
        }
        return pixels
    }

    /// Digits, and a point among them: no sign, no exponent.
    private static func number(_ text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.count <= 12, text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }) else {
            return nil
        }
        return Double(String(text))
    }
}
