import MediaTypes

/// How large an image is to be: as large as fits, in the proportions in which the frame is shown.
package struct ImageLimits: Sendable, Hashable {
    private let width: Int?
    private let height: Int?

    /// Reads "640", which is the width, "640x360", "640x" and "x360".
    ///
    /// - Returns: `nil` unless each is a whole number from 2 to 16384.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts.map { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        guard zip(parts, numbers).allSatisfy({ $0.isEmpty || $1.map { (2...16384).contains($0) } == true }),
            numbers.contains(where: { $0 != nil })
        else { return nil }
        (width, height) = (numbers[0], parts.count > 1 ? numbers[1] : nil)
    }

    package init(width: Int) { (self.width, height) = (width, nil) }

    /// - Parameter frame: in square pixels.
    func size(of frame: VideoSize) -> VideoSize {
        let across = width.map { Double($0) / Double(frame.width) } ?? .infinity
        let down = height.map { Double($0) / Double(frame.height) } ?? .infinity
        let scale = min(across, down)
        func scaled(_ pixels: Int) -> Int { min(16384, max(1, Int((Double(pixels) * scale).rounded()))) }
        return VideoSize(scaled(frame.width), scaled(frame.height))
    }
}
