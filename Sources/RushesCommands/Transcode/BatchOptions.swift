import ArgumentParser
import Export
import SystemPackage

/// Several files into a folder.
struct BatchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder for the outputs, which are named as their inputs.", valueName: "folder"),
        completion: .directory)
    var outputDirectory: String?

    @Option(
        help: ArgumentHelp(
            "How many files are exported at a time; as many as cores and memory allow if left out.", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Go on with a batch that was stopped or killed: what is done and unchanged is left as it is.")
    var resume = false

    @Option(
        help: ArgumentHelp(
            "Export what is in this folder and what comes to it, as soon as it is complete, until Ctrl-C.",
            valueName: "folder"), completion: .directory)
    var watch: String?

    func validate() throws {
        if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs is a number from 1 to 64.") }
        if outputDirectory == nil {
            if resume { throw ValidationError("--resume goes on with a batch; name its --output-directory.") }
            if watch != nil {
                throw ValidationError("--watch needs a place for the outputs; name an --output-directory.")
            }
            if jobs != nil { throw ValidationError("--jobs is for several files; name an --output-directory.") }
        }
    }
}
