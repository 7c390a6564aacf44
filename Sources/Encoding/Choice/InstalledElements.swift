import GStreamer

/// Which GStreamer elements there are.
public struct InstalledElements: Sendable {
    private let has: @Sendable (String) -> Bool

    /// - Parameter has: whether there is an element of this name.
    public init(_ has: @escaping @Sendable (String) -> Bool) { self.has = has }

    /// What the machine's registry knows. An element of a hardware plugin is there only where the hardware is.
    public static let registry = InstalledElements { ElementFactory.exists($0) }

    /// Exactly these.
    public static func these(_ names: String...) -> InstalledElements {
        let names = Set(names)
        return InstalledElements { names.contains($0) }
    }

    /// Whether there is an element of this name.
    public func contains(_ element: String) -> Bool { has(element) }
}
