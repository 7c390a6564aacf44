import ArgumentParser
import Encoding
import Errors
import Export
import MovieFiles
import SystemPackage

/// Several files into a folder, those that come later too.
struct BatchOptions: ParsableArguments {
    @OptionGroup var folder: BatchFolderOptions

    @Option(
        help: ArgumentHelp(
            "Export what is in this folder and what arrives in it, each file as soon as it is complete, until Ctrl-C. One that comes under "
                + "the name of an earlier one becomes a file of its own, with a number.",
            valueName: "folder"), completion: .directory, transform: localPath)
    var watch: String?

    @Flag(
        help:
            "Export the movies of subfolders too, into subfolders of the same names; with --watch also of those that are made later."
    )
    var recursive = false

    @Option(
        help: ArgumentHelp(
            "What kind of files to make, by their ending: the preset's if left out. For audio alone, such as mp3, audio files in folders count too.",
            valueName: "ending"))
    var container: Container?

    func validate() throws {
        if folder.outputDirectory == nil, container != nil {
            throw ValidationError("--container is for several files; the ending of --output says it of one.")
        }
        if folder.outputDirectory == nil, recursive {
            throw ValidationError("--recursive is for folders; name an --output-directory.")
        }
        if folder.outputDirectory == nil, watch != nil {
            throw ValidationError("--watch needs a place for the outputs; name an --output-directory.")
        }
    }
}

/// Several movies into a folder.
struct BatchFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder for the outputs, which are named after their inputs.", valueName: "folder"),
        completion: .directory, transform: localPath)
    var outputDirectory: String?

    @Option(
        help: ArgumentHelp(
            "How many files are exported at a time; as many as cores and memory allow if left out.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "How much stays free on the disk of the outputs, such as 2G; 64MiB if left out, less on a small disk; 0 for nothing.",
            valueName: "size"))
    var minFree: FreeBytes?

    @Flag(help: "Continue a batch that was stopped or killed: what is done and unchanged is left as it is.")
    var resume = false

    func validate() throws {
        if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs is a number from 1 to 64.") }
        guard outputDirectory == nil else { return }
        if resume { throw ValidationError("--resume continues a batch; name its --output-directory.") }
        if minFree != nil { throw ValidationError("--min-free is for several files; name an --output-directory.") }
        if jobs != nil { throw ValidationError("--jobs is for several files; name an --output-directory.") }
    }

    /// The batch that a folder keeps, to go on with it.
    ///
    /// - Parameters:
    ///   - settings: what the command line says.
    ///   - usual: what it says where nothing is given.
    ///   - preset: as it is given; `nil` where it is not.
    ///   - overwrites: whether files that are in the way may be replaced, though the batch was begun without.
    /// - Throws: a `ValidationError` where it says otherwise than the batch; ``RushesError`` where there is none.
    static func kept(
        in folder: FilePath, _ settings: ExportSettings, usual: ExportSettings, preset: String?, overwrites: Bool
    ) throws -> BatchPlan {
        var kept = try BatchPlan(resuming: BatchFolder(containing: folder), includesClashes: true)
        guard !kept.items.isEmpty else {
            throw RushesError(
                .badInput, on: folder.string,
                "The batch in \(folder.wireText) is that of a watched folder, which has no list of files; start the same --watch again."
            )
        }
        // As the batch keeps them, whichever folder it is gone on with in.
        let isUnsaid = preset == nil && settings == usual
        guard isUnsaid || settings.rooted == kept.settings else {
            throw ValidationError(
                "--resume without files keeps the batch's settings; leave yours out, or name the files too.")
        }
        if overwrites { kept.replacesExisting = true }
        return kept
    }
}
