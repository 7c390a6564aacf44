import ArgumentParser
import Encoding
import Export
import Rushes
import SystemPackage

extension TranscodeCommand {
    /// Shows what would run, where one pipeline is all of it.
    ///
    /// - Throws: `ValidationError` where more would be done.
    func showPipeline(of input: FilePath, to destination: MovieDestination) async throws {
        guard !destination.path.isGIF else {
            throw ValidationError(
                "--print-pipeline cannot show how the colors of a GIF are found; leave it out.")
        }
        guard conversion.lut == nil else {
            throw ValidationError(
                "--print-pipeline cannot show --lut; use one or the other.")
        }
        guard conversion.image == nil else {
            throw ValidationError("--print-pipeline cannot show --image; leave it out.")
        }
        guard conversion.videoFilter == nil, encoding.audioFilter == nil, conversion.speed == nil else {
            throw ValidationError(
                "--print-pipeline cannot show --video-filter, --audio-filter and --speed; leave it out.")
        }
        guard encoding.loudness == nil else {
            throw ValidationError(
                "--print-pipeline cannot show --loudness; use one or the other.")
        }
        guard tracks.burnSubtitles == nil else {
            throw ValidationError(
                "--print-pipeline cannot show --burn-subtitles; use one or the other.")
        }
        guard conversion.crop.map({ $0.area == nil }) != true else {
            throw ValidationError(
                "--print-pipeline cannot show --crop auto; name the area, or leave one of them out.")
        }
        guard tracks.addSubtitles.isEmpty else {
            throw ValidationError(
                "--print-pipeline cannot show --add-subtitles; use one or the other.")
        }
        guard tracks.addAudio.isEmpty else {
            throw ValidationError(
                "--print-pipeline cannot show --add-audio; use one or the other.")
        }
        guard conversion.parts.count < 2, conversion.parts.allSatisfy({ $0.range != nil }) else {
            throw ValidationError(
                "--print-pipeline can show one part by its time; leave every other --part out.")
        }
        let text = try await ExportSession.pipeline(
            input: input, settings: settings, destination: destination)
        StandardStreams.printResult(text)
    }
}
