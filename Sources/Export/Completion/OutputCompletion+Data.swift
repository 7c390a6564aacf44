import Encoding
import FileSystem
import MovieFiles
import SystemPackage
import Threads

extension OutputCompletion {
    /// Puts the input's data tracks into the file that a strategy has written, at the times of its part.
    ///
    /// - Throws: `MovieFileError`.
    func withData(_ movie: WrittenMovie) async throws -> WrittenMovie {
        guard movie.awaitsData, let input = context.input.original, let part = movie.subtitles,
            let span = part.spans.first
        else { return movie }
        var written = movie
        let (output, type) = (output, container.movieFileType)
        written.notes += try await onOwnThread("rushes-data") {
            do {
                let data = try DataTracks(of: FilePath(input.location), for: type)
                guard !data.isEmpty else { return data.omissions }
                return data.omissions
                    + (try output.file().withDescriptor { try data.add(to: $0, span, delay: part.delay) })
            } catch let error as MovieFileError where error.isRefusal {
                return ["The data tracks were left out: \(error)."]
            }
        }
        written.size = try output.size()
        return written
    }
}
