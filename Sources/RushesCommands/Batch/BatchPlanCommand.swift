import ArgumentParser
import Encoding
import Export
import MovieFiles
import SystemPackage
import Threads

/// `rushes batch plan`: writes down what is to be done.
struct BatchPlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Write down a batch, and print one line for each of its files.",
        discussion: """
            A line is the number of the file, the input and the output, with tabs between them; --json prints an object. \
            The manifest is OUTPUT-DIRECTORY/.rushes-batch/manifest.json. A file whose output another one has already is left out.

            EXAMPLES
              rushes batch plan clips --output-directory out --preset hevc
              rushes batch plan card --recursive --output-directory out
              rushes batch plan a.mov b.mov --output-directory out --json

            EXIT STATUS
              0    written down
              1    nothing was written down, or a file was left out
              64   wrong usage
            """)

    @Argument(
        help: "The files to read; a folder stands for the movies in it.", completion: .file(), transform: localPath)
    var inputs: [String]
    @Option(
        help: ArgumentHelp("The folder for the outputs.", valueName: "folder"), completion: .directory,
        transform: localPath)
    var outputDirectory: String
    @Flag(help: "Export the movies of subfolders too, into subfolders of the same names.") var recursive = false
    @Option(
        help: ArgumentHelp(
            "What kind of files to make, by their ending: the preset's if left out.", valueName: "ending"))
    var container: Container?
    @Option(
        help: ArgumentHelp("What to make; 'rushes transcode --preset help' lists all.", valueName: "name"),
        transform: PresetList.name)
    var preset: String?
    @OptionGroup(title: "Video") var conversion: ConversionOptions
    @OptionGroup(title: "Tracks") var tracks: TrackOptions
    @OptionGroup(title: "Encoding") var encoding: ReencodingOptions
    @OptionGroup(title: "Output") var finishing: FinishingOptions
    @Flag(help: "One JSON object a line.") var json = false

    private struct Line: Encodable {
        var index: Int
        var input: String
        var output: String
    }

    func run() async throws {
        try await reportingFailures(verbose: false) {
            try conversion.checkBatch()
            guard tracks.addSubtitles.allSatisfy(\.areBeside) else {
                throw ValidationError("--add-subtitles FILE is for one file; auto takes those that lie beside each.")
            }
            guard tracks.addAudio.isEmpty else {
                throw ValidationError("--add-audio is for one file; use 'rushes transcode' with --output.")
            }
            let usual = TranscodeCommand.usualPreset(
                ending: container?.rawValue, codec: encoding.encoder.codec, hasImage: conversion.image != nil)
            var settings = ExportSettings(preset: preset ?? usual, conversion, encoding)
            tracks.apply(to: &settings)
            finishing.apply(to: &settings)
            var plan = try BatchPlan(
                inputs: FilePath.typed(inputs), outputs: FilePath(typed: outputDirectory), settings: settings,
                container: container,
                replacesExisting: finishing.overwrite, includesSubfolders: recursive)
            // What is done stays done, but nothing is done again that nobody asked for.
            plan.renewsOutputs = false
            let (all, problems) = (plan.items.count, plan.problems(isResuming: true))
            for line in plan.notes + problems.map(\.line) { StandardStreams.printNote(line) }
            guard !problems.contains(where: \.isFatal) else { throw ExitStatus.failure }
            plan = plan.withoutClashes
            try await plan.write()
            for (index, item) in plan.items.enumerated() {
                let line = Line(index: index, input: item.input.wireText, output: item.output.wireText)
                StandardStreams.printResult(
                    json ? try JSONText.line(line) : Sentence.printable("\(index)") + "\t" + fields(line))
            }
            guard plan.items.count == all else { throw ExitStatus.failure }
        }
    }

    private func fields(_ line: Line) -> String {
        [line.input, line.output].map(Sentence.printable).joined(separator: "\t")
    }
}
