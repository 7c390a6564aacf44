import GStreamer

/// Which GStreamer elements there are.
package struct InstalledElements: Sendable {
    private let has: @Sendable (String) -> Bool

    /// - Parameter has: whether there is an element of this name.
    package init(_ has: @escaping @Sendable (String) -> Bool) { self.has = has }

    /// What the machine's registry knows. An element of a hardware plugin is there only where the hardware is.
    package static let registry = InstalledElements { ElementFactory.exists($0) }

    /// Exactly these.
    package static func these(_ names: String...) -> InstalledElements {
        let names = Set(names)
        return InstalledElements { names.contains($0) }
    }

    /// Whether there is an element of this name.
    package func contains(_ element: String) -> Bool { has(element) }
}
