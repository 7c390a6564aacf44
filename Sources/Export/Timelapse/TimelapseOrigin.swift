import Encoding
import LiveActivity
import SystemPackage

/// A video, for a timelapse.
struct TimelapseOrigin: ExportOrigin {
    let timelapse: VideoTimelapse

    var path: FilePath { timelapse.input }
    var kind: ActivityKind { .timelapse }
    var images: [MovieDestination] { timelapse.look.images }

    func open() throws -> @Sendable () throws -> any ExportInput {
        let file = try InputFile(path)
        return { [timelapse] in try TimelapseInput(file, timelapse) }
    }
}
