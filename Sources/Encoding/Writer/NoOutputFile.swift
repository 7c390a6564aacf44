import GStreamer
import MovieFiles
import SystemPackage

/// The end of a pipeline of which nothing is kept.
struct NoOutputFile: MovieOutputFile {
    var bytesWritten: Int64 { 0 }
    var failure: (any Error)? { nil }

    func open() {}
    func discard() {}
    func finish(chapters: [MovieInfo.Chapter], timeCode: TimeCode?, isWhole: Bool) -> FinishedFile {
        FinishedFile(path: "", size: 0, isComplete: true)
    }
}
