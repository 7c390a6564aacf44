import ArgumentParser
import Export
import MovieFiles
import SystemPackage

/// Several movies into a folder.
struct BatchFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder for the outputs, which are named as their inputs.", valueName: "folder"),
        completion: .directory)
    var outputDirectory: String?

    @Option(
        help: ArgumentHelp(
            "How many files are exported at a time; as many as cores and memory allow if left out.", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Continue a batch that was stopped or killed: what is done and unchanged is left as it is.")
    var resume = false

    func validate() throws {
        if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs is a number from 1 to 64.") }
        guard outputDirectory == nil else { return }
        if resume { throw ValidationError("--resume goes on with a batch; name its --output-directory.") }
        if jobs != nil { throw ValidationError("--jobs is for several files; name an --output-directory.") }
    }

    /// The batch that a folder keeps, to go on with it.
    ///
    /// - Parameters:
    ///   - settings: what the command line says.
    ///   - usual: what it says where nothing is given.
    /// - Throws: a `ValidationError` where it says otherwise than the batch; ``RushesError`` where there is none.
    static func kept(
        in folder: FilePath, _ settings: ExportSettings, usual: ExportSettings
    ) throws -> BatchPlan {
        let kept = try BatchPlan(resuming: BatchFolder(containing: folder))
        var settings = settings
        // As the batch keeps it, whichever folder it is gone on with in.
        settings.lookupTable = settings.lookupTable?.absolute.lexicallyNormalized()
        guard settings == usual || settings == kept.settings else {
            throw ValidationError(
                "--resume without files keeps the batch's settings; leave yours out, or name the files too.")
        }
        return kept
    }
}
