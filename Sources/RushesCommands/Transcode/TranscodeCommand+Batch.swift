import ArgumentParser
import Rushes
import SystemPackage

extension TranscodeCommand {
    /// The batch that the command line means.
    ///
    /// - Throws: a `ValidationError` for what does not go together; ``RushesError`` for what can be known
    ///   to fail.
    func batchRun() throws -> BatchRun {
        try conversion.checkBatch()
        guard output == nil else {
            throw ValidationError("--output is for one file, and --output-directory for several; give one.")
        }
        guard !printPipeline else {
            throw ValidationError("--print-pipeline is for one file; leave --output-directory out.")
        }
        guard tracks.addSubtitles.allSatisfy(\.areBeside) else {
            throw ValidationError("--add-subtitles FILE is for one file; auto takes those that lie beside each.")
        }
        guard tracks.addAudio.isEmpty else {
            throw ValidationError("--add-audio is for one file; use --output in place of --output-directory.")
        }
        let folder = FilePath(typed: batch.folder.outputDirectory ?? ".")
        var run = BatchRun(
            plan: try plan(into: folder), jobs: batch.folder.jobs, minFree: batch.folder.minFree?.bytes,
            isResuming: batch.folder.resume, output: display)
        if let watch = batch.watch {
            try run.plan.watch(FilePath(typed: watch))
            (run.isResuming, run.includesSubfolders) = (true, batch.recursive)
        }
        return run
    }

    private func plan(into folder: FilePath) throws -> BatchPlan {
        guard inputs.isEmpty, batch.watch == nil else {
            return try BatchPlan(
                inputs: FilePath.typed(inputs), outputs: folder, settings: settings, container: batch.container,
                replacesExisting: finishing.overwrite, includesSubfolders: batch.recursive)
        }
        guard batch.container == nil else {
            throw ValidationError("--resume without files keeps the batch's --container; leave it out.")
        }
        guard batch.folder.resume else {
            throw ValidationError("There is no file to read; name some, or a folder of them.")
        }
        return try BatchFolderOptions.kept(
            in: folder, settings, usual: ExportSettings(preset: Self.usualPreset), preset: preset,
            overwrites: finishing.overwrite)
    }
}
