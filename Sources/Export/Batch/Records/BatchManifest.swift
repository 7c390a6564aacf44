import MovieFiles
import SystemPackage

/// What a batch is to do, as its folder keeps it: single steps and a resume find it there.
struct BatchManifest: Codable, Sendable {
    struct Entry: Codable, Sendable, Hashable {
        /// Absolute.
        var input: String
        var output: String
        /// The output as seen from the batch's folder, where it lies in one below that.
        var name: String?
        /// Of movies that are composed.
        var insets: [String]?
        /// The input and the insets as seen from the batch's folder; `nil` where one is on another disk.
        var relative: [String]?
    }

    static let currentVersion = 1

    var version = currentVersion
    var settings: ExportSettings
    var replacesExisting: Bool
    /// In the order of their numbers.
    var items: [Entry]
    /// Those whose outputs would be those of others, so that they are no steps; `nil`: none.
    var clashes: [Entry]?
    /// Where the batch's folder was, without links. Where it is elsewhere, as on a node that has a shared disk under another
    /// name, what is relative counts.
    var folder: String?
    /// The preset's file, the look-up table and the subtitles that are drawn into the frames, likewise.
    var relativePreset: String?
    var relativeTable: String?
    var relativeSubtitles: String?
    /// That is shown with audio, likewise.
    var relativeImage: String?

    init(
        settings: ExportSettings, replacesExisting: Bool, items: [BatchItem], clashes: [BatchItem] = [],
        in place: BatchPlace?
    ) {
        self.settings = settings
        self.replacesExisting = replacesExisting
        var place = place
        func entry(_ item: BatchItem) -> Entry {
            let insets = item.insets.map(\.wireText)
            let relative = item.inputs.compactMap { place?.relative($0) }
            return Entry(
                input: item.input.wireText, output: item.output.wireText,
                // As if it were absolute, so that names of any bytes can be written.
                name: item.name.components.count > 1 ? FilePath(root: "/", item.name.components).wireText : nil,
                insets: insets.isEmpty ? nil : insets,
                relative: relative.count == item.inputs.count ? relative : nil)
        }
        self.items = items.map(entry)
        self.clashes = clashes.isEmpty ? nil : clashes.map(entry)
        folder = place?.folder.wireText
        relativePreset = settings.preset.hasPrefix("/") ? place?.relative(FilePath(settings.preset)) : nil
        relativeTable = settings.lookupTable.flatMap { place?.relative($0) }
        relativeImage = settings.image.flatMap { place?.relative($0) }
        relativeSubtitles = settings.burntSubtitles?.file.flatMap { place?.relative($0) }
    }

    /// The paths of an entry's inputs for who finds the folder at a place.
    ///
    /// - Returns: `nil` for what cannot be read.
    func inputs(of entry: Entry, at place: BatchPlace?) -> [FilePath]? {
        let absolute = ([entry.input] + (entry.insets ?? [])).compactMap { FilePath(wireText: $0) }
        guard absolute.count == 1 + (entry.insets?.count ?? 0) else { return nil }
        guard let place, isMoved(to: place), let relative = entry.relative, relative.count == absolute.count else {
            return absolute
        }
        // Only the outputs may have been moved: then the inputs are where they were.
        return zip(relative, absolute).map { place.existing($0) ?? $1 }
    }

    /// The settings for who finds the folder at a place.
    func settings(at place: BatchPlace?) -> ExportSettings {
        guard let place, isMoved(to: place) else { return settings }
        var settings = settings
        if let path = relativePreset.flatMap({ place.existing($0) }) { settings.preset = path.string }
        if let path = relativeTable.flatMap({ place.existing($0) }) { settings.lookupTable = path }
        if let path = relativeImage.flatMap({ place.existing($0) }) { settings.image = path }
        if let path = relativeSubtitles.flatMap({ place.existing($0) }) {
            settings.burntSubtitles = .file(wireText: path.wireText)
        }
        return settings
    }

    private func isMoved(to place: BatchPlace) -> Bool { folder.map { $0 != place.folder.wireText } ?? false }
}

extension BatchManifest.Entry {
    /// The output as seen from the batch's folder; `nil` for one that would lie elsewhere, or among the records.
    var outputName: FilePath? {
        guard let path = FilePath(wireText: name ?? output) else { return nil }
        let parts = name == nil ? Array(path.components.suffix(1)) : Array(path.components)
        guard !parts.isEmpty, parts.allSatisfy({ $0.kind == .regular && $0.string != BatchFolder.name }) else {
            return nil
        }
        return FilePath(root: nil, parts)
    }
}
