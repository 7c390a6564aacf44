import ArgumentParser
import Imaging

/// A part of a frame of its own shape: `x=10%,y=20%,width=50%`.
struct FrameAreaArgument: ExpressibleByArgument, Sendable, Equatable {
    var area: FrameArea

    /// - Returns: `nil` for another text, and for what does not lie in the frame.
    init?(argument: String) {
        guard let shares = Self.shares(argument, ["x", "y", "width"]), let width = shares["width"],
            let area = FrameArea(x: shares["x"] ?? 0, y: shares["y"] ?? 0, width: width, height: width)
        else { return nil }
        self.area = area
    }

    /// By their names, from 0 to 1.
    fileprivate static func shares(_ argument: String, _ names: Set<String>) -> [String: Double]? {
        var shares: [String: Double] = [:]
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, names.contains(sides[0]), sides[1].hasSuffix("%"),
                let percent = Double(sides[1].dropLast())
            else { return nil }
            shares[sides[0]] = percent / 100
        }
        return shares
    }
}

/// A part of a frame of any shape: `x=10%,y=20%,width=50%,height=30%`.
struct FrameRegionArgument: ExpressibleByArgument, Sendable, Equatable {
    var area: FrameArea

    /// - Returns: `nil` for another text, and for what does not lie in the frame.
    init?(argument: String) {
        guard let shares = FrameAreaArgument.shares(argument, ["x", "y", "width", "height"]),
            let width = shares["width"], let height = shares["height"],
            let area = FrameArea(x: shares["x"] ?? 0, y: shares["y"] ?? 0, width: width, height: height)
        else { return nil }
        self.area = area
    }
}
