package import Encoding
import MovieFiles
public import SystemPackage

extension BatchPlan {
    /// A plan whose outputs have the container of the preset, or the first that holds what was asked for beyond it.
    ///
    /// - Parameters:
    ///   - inputs: movies, and folders that stand for the movies in them.
    ///   - includesSubfolders: whether folders stand for the movies in folders within too, whose outputs lie in folders of the same names.
    /// - Throws: ``RushesError`` for a preset that does not exist, ``RushesError`` for what no container holds: both before
    ///   a file is created.
    public init(
        inputs: [FilePath], outputs: FilePath, settings: ExportSettings, replacesExisting: Bool = false,
        includesSubfolders: Bool = false
    ) throws {
        try self.init(
            inputs: inputs, outputs: outputs, settings: settings, container: nil, replacesExisting: replacesExisting,
            includesSubfolders: includesSubfolders)
    }

    /// The same with outputs in a container of one's own choice; for one of audio alone, folders stand for the audio files in them too.
    ///
    /// - Parameter container: nil: the preset's.
    package init(
        inputs: [FilePath], outputs: FilePath, settings: ExportSettings, container: Container?,
        replacesExisting: Bool = false, includesSubfolders: Bool = false
    ) throws {
        let (settings, ending) = try Self.fitted(settings, container)
        try self.init(
            inputs: inputs, outputs: outputs, ending: ending, settings: settings, replacesExisting: replacesExisting,
            includesSubfolders: includesSubfolders)
    }

    /// The same for movies that are composed; see ``init(composing:outputs:ending:settings:replacesExisting:)``.
    package init(
        composing works: [(main: FilePath, insets: [FilePath])], outputs: FilePath, settings: ExportSettings,
        replacesExisting: Bool = false
    ) throws {
        let (settings, ending) = try Self.fitted(settings)
        self.init(
            composing: works, outputs: outputs, ending: ending, settings: settings, replacesExisting: replacesExisting)
    }

    /// Where a movie goes that is made of one alone, by the same rules: named as that, in the preset's container.
    package static func destination(
        of input: FilePath, in folder: FilePath, _ settings: ExportSettings, replacesExisting: Bool
    ) throws -> MovieDestination {
        let ending = try fitted(settings).ending
        return MovieDestination(
            folder.appending(outputName(input, ending, 1)), replacesExisting: replacesExisting)
    }

    private static func fitted(
        _ settings: ExportSettings, _ container: Container? = nil
    ) throws -> (settings: ExportSettings, ending: String) {
        let settings = settings.rooted
        if let image = settings.image { _ = try InputFile(image) }
        let files = try PipelineFiles.find()
        let usual = try ExportTarget.preset(settings.preset, files).container
        let fitting =
            container
            ?? [usual, .mov, .mkv].first {
                (try? ExportTarget(settings, container: $0, files: files)) != nil
            }
        // Says why, where none fits.
        let target = try ExportTarget(settings, container: fitting ?? usual, files: files)
        return (settings, target.container.rawValue)
    }
}

extension ExportSettings {
    /// The same with its files called from the root, as whoever goes on with a batch may stand in another folder.
    package var rooted: ExportSettings {
        var settings = self
        if preset.contains("/") || preset.hasSuffix(".gep") { settings.preset = FilePath(preset).rooted.string }
        settings.lookupTable = lookupTable?.rooted
        settings.image = image?.rooted
        if let file = burntSubtitles?.file { settings.burntSubtitles = .file(wireText: file.rooted.wireText) }
        return settings
    }
}
