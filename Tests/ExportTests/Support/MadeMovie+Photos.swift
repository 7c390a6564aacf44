import Encoding
import Export
import MediaTypes
import SystemPackage
import TestSupport

extension MadeMovie {
    /// Makes "out.mp4" of photos beside the movie, 25 a second.
    func timelapse(
        of names: [String], _ change: (inout PhotoTimelapse) -> Void = { _ in }
    ) async throws -> ExportResult {
        var timelapse = PhotoTimelapse(names.map { FilePath(folder.file($0)) })
        timelapse.rate = Fraction(25)
        change(&timelapse)
        var settings = ExportSettings(preset: "h264")
        settings.rateControl = .quality(95)
        return try await ExportSession(timelapse, settings: settings, center: nil)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4")), replacesExisting: true))
    }
}
