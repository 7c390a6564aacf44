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
        let more = [
            (destination.path.isGIF, "show how the colors of a GIF are found; leave it out."),
            (conversion.lut != nil, "show --lut; use one or the other."),
            (conversion.image != nil, "show --image; leave it out."),
            (
                conversion.videoFilter != nil || encoding.audioFilter != nil || conversion.speed != nil,
                "show --video-filter, --audio-filter and --speed; leave it out."
            ),
            (encoding.loudness != nil, "show --loudness; use one or the other."),
            (tracks.burnSubtitles != nil, "show --burn-subtitles; use one or the other."),
            (
                conversion.crop.map { $0.area == nil } == true,
                "show --crop auto; name the area, or leave one of them out."
            ),
            (!tracks.addSubtitles.isEmpty, "show --add-subtitles; use one or the other."),
            (!tracks.addAudio.isEmpty, "show --add-audio; use one or the other."),
        ]
        if let (_, words) = more.first(where: \.0) { throw ValidationError("--print-pipeline cannot \(words)") }
        guard conversion.parts.count < 2, conversion.parts.allSatisfy({ $0.range != nil }) else {
            throw ValidationError("--print-pipeline can show one part by its time; leave every other --part out.")
        }
        let text = try await ExportSession.pipeline(
            input: input, settings: settings, destination: destination)
        StandardStreams.printResult(text)
    }
}
