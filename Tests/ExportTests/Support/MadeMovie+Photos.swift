import Encoding
import Export
import MediaTypes
import SystemPackage
import TestSupport

extension MadeMovie {
    /// Makes "out.mp4" of photos beside the movie, 25 a second.
    func timelapse(
        of names: [String], size: VideoSize? = nil, _ change: (inout Timelapse) -> Void = { _ in }
    ) async throws -> ExportResult {
        var timelapse = Timelapse(ofPhotos: names.map { FilePath(folder.file($0)) })
        timelapse.rate = Fraction(25)
        change(&timelapse)
        var settings = ExportSettings(preset: "h264")
        (settings.rateControl, settings.size) = (.quality(95), size)
        return try await ExportSession(timelapse, settings: settings, center: nil)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4")), replacesExisting: true))
    }
}
