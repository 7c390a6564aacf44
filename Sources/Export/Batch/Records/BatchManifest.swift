import MovieFiles
import SystemPackage

/// What a batch is to do, as its folder keeps it: single steps and a resume find it there.
struct BatchManifest: Codable, Sendable {
    struct Entry: Codable, Sendable, Hashable {
        /// Absolute.
        var input: String
        var output: String
        /// Of movies that are composed.
        var insets: [String]?
    }

    static let currentVersion = 1

    var version = currentVersion
    var settings: ExportSettings
    var replacesExisting: Bool
    /// In the order of their numbers.
    var items: [Entry]

    init(settings: ExportSettings, replacesExisting: Bool, items: [BatchItem]) {
        self.settings = settings
        self.replacesExisting = replacesExisting
        self.items = items.map { item in
            let insets = item.insets.map(\.wireText)
            return Entry(
                input: item.input.wireText, output: item.output.wireText, insets: insets.isEmpty ? nil : insets)
        }
    }
}
