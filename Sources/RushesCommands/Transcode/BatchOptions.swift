import ArgumentParser

/// Several files into a folder, those that come later too.
struct BatchOptions: ParsableArguments {
    @OptionGroup var folder: BatchFolderOptions

    @Option(
        help: ArgumentHelp(
            "Export what is in this folder and what comes to it, as soon as it is complete, until Ctrl-C.",
            valueName: "folder"), completion: .directory)
    var watch: String?

    func validate() throws {
        if folder.outputDirectory == nil, watch != nil {
            throw ValidationError("--watch needs a place for the outputs; name an --output-directory.")
        }
    }
}
