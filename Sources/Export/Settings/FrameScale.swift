import MediaTypes

/// How large frames become that keep their proportions and the shape of their pixels.
package enum FrameScale: Codable, Sendable, Hashable {
    /// The shorter side as it is shown, in lines of square pixels, such as 720; smaller frames stay as they are.
    case atMost(Int)
    /// Pixels from left to right as it is shown.
    case width(Int)
    /// Pixels from top to bottom as it is shown.
    case height(Int)

    /// Reads "720p", "1280x" and "x720".
    ///
    /// - Returns: `nil` unless the number is whole and from 2 to 65535.
    package init?(_ text: String) {
        let text = text.lowercased().replacing("×", with: "x")
        let digits = text.filter { ("0"..."9").contains($0) }
        guard let number = Int(digits), Self.range.contains(number) else { return nil }
        switch text {
        case "\(digits)p": self = .atMost(number)
        case "\(digits)x": self = .width(number)
        case "x\(digits)": self = .height(number)
        default: return nil
        }
    }

    /// Pixels of a side: encoders take pairs of them.
    static let range = 2...65535

    /// The number that was asked for, in pixels.
    var pixels: Int {
        switch self {
        case .atMost(let side), .width(let side), .height(let side): side
        }
    }

    /// By how much frames are scaled, in both directions.
    ///
    /// - Parameter shown: their width and height in square pixels, as they are shown.
    func factor(_ shown: (width: Double, height: Double)) -> Double {
        switch self {
        case .atMost(let side): min(1, Double(side) / min(shown.width, shown.height))
        case .width(let width): Double(width) / shown.width
        case .height(let height): Double(height) / shown.height
        }
    }
}
