import ArgumentParser

/// The file to write by an option, as other commands have it, where it can stand alone too.
struct OutputFileOption: ParsableArguments {
    @Option(
        name: [.customLong("output"), .short],
        help: ArgumentHelp("The movie to write, where <file> is left out.", valueName: "file"), completion: .file(),
        transform: localPath)
    var outputFile: String?

    /// - Parameter alone: what was named without an option.
    /// - Throws: a `ValidationError` where two are named.
    func file(or alone: String?) throws -> String? {
        guard let alone, let outputFile else { return outputFile ?? alone }
        throw ValidationError("--output and <file> name the movie to write, \(outputFile) and \(alone); give one.")
    }
}
