import ArgumentParser
import Encoding
import Export
import Foundation
import MovieFiles
import Rushes
import SystemPackage

/// Parts of one movie as files of their own.
extension TranscodeCommand {
    /// - Throws: a `ValidationError` for what does not go together; ``RushesError`` for what can be known to fail.
    func separateRun() throws -> TranscodeRun {
        let option = separation.option
        guard separation.splitEvery == nil || conversion.parts.isEmpty && conversion.part.range == nil else {
            throw ValidationError("--split-every takes all of the input; leave --part, --start and --end out.")
        }
        guard separation.splitEvery != nil || !conversion.parts.isEmpty else {
            throw ValidationError(
                "--separate makes a file of each --part; name some, or --part chapters, or use --split-every.")
        }
        guard !(separation.separate && separation.splitEvery != nil) else {
            throw ValidationError("--split-every makes separate files already; leave --separate out.")
        }
        let others: [(Bool, String)] = [
            (batch.watch != nil, "--watch"), (batch.recursive, "--recursive"), (batch.folder.resume, "--resume"),
            (batch.folder.jobs != nil, "--jobs"), (printPipeline, "--print-pipeline"),
        ]
        if let other = others.first(where: \.0)?.1 {
            throw ValidationError("\(other) does not go with \(option); leave one of them out.")
        }
        guard let input = inputs.first else { throw ValidationError("There is no file to read; name one.") }
        guard inputs.count == 1, !isFolder(FilePath(typed: input)) else {
            throw ValidationError("\(option) is for one file; name one.")
        }
        let (destination, settings) = (try separateDestination(of: input), separateSettings)
        let choices = separation.splitEvery.map { [PartChoice.every($0.time)] } ?? conversion.parts.map(\.choice)
        var run = TranscodeRun(destination: destination, output: display) { thumbnail, onActivity in
            ExportSession(
                input: FilePath(typed: input), settings: settings, thumbnail: thumbnail, center: .shared,
                onActivity: onActivity)
        }
        (run.parts, run.minFree) = (choices, batch.folder.minFree?.bytes)
        return run
    }

    private var separateSettings: ExportSettings {
        var settings = settings
        (settings.range, settings.parts) = (nil, nil)
        return settings
    }

    /// The file that the files' names are made of.
    private func separateDestination(of input: String) throws -> MovieDestination {
        guard let directory = batch.folder.outputDirectory else {
            guard let output else { throw ValidationError(missingOutput(of: FilePath(typed: input))) }
            guard !isFolder(FilePath(typed: output)) else {
                throw ValidationError("\(output) is a folder; name a file in it, or use --output-directory.")
            }
            return finishing.destination(output)
        }
        guard output == nil else {
            throw ValidationError("--output names the files, and --output-directory their folder; give one.")
        }
        let folder = FilePath(typed: directory)
        // As that of a batch.
        if access(directory, F_OK) != 0 {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        }
        return try BatchPlan.destination(
            of: FilePath(typed: input), in: folder, separateSettings, replacesExisting: finishing.overwrite)
    }
}
