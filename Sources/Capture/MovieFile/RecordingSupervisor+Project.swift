import Composition
import EditProjects
import Encoding
import FileSystem
import Imaging
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

extension RecordingSupervisor {
    /// Writes what editors take the movies up with, where each camera has its own and all are where they belong.
    ///
    /// - Returns: the files; none for other recordings.
    /// - Throws: why they could not be written.
    func writeProject(of result: RecordingResult) async throws -> [FilePath] {
        guard !cameras.isEmpty, let folder = result.path?.absolute.removingLastComponent() else { return [] }
        guard let project = project(of: result, in: folder) else {
            events.put(
                .warning(
                    "No project for editors was written, as not all movies are there, or they are not in the same folder."
                ))
            return []
        }
        // It may have got another name since.
        let isSame = folder == path.absolute.removingLastComponent()
        let files = ProjectFiles(beside: isSame ? destination : destination.moved(to: folder))
        if let omission = files.omission(of: project) { events.put(.warning(omission)) }
        return try await onOwnThread("rushes-project") {
            try files.write(project.countingByTimeCodes(in: folder))
        }
    }

    private func project(of result: RecordingResult, in folder: FilePath) -> EditProject? {
        guard let composition, let (history, output, sizes) = composition.history else { return nil }
        func movie(_ path: FilePath?, _ name: String, _ size: VideoSize, _ rate: Fraction?) -> EditProject.Movie? {
            // One that had to be kept elsewhere would not be found.
            guard let path, path.absolute.removingLastComponent() == folder, let file = path.lastComponent
            else { return nil }
            let known = rate.flatMap { $0.doubleValue > 0 ? $0 : nil }
            return .init(
                fileBytes: file.bytes, displayName: name, size: size,
                rate: known ?? Fraction(30))
        }
        let rates = composition.rates
        var cameras = zip(result.cameraMovies, zip(sizes, rates)).compactMap { own, frames in
            movie(own.path, own.camera ?? "", frames.0, frames.1)
        }
        for (index, time) in zip(cameras.indices, recording.secondFrames) { cameras[index].secondFrame = time }
        let composed = movie(result.path, path.stem ?? "movie", orientation.shown(output.size), rates.first ?? nil)
        guard let composed, cameras.count == sizes.count else { return nil }
        let timeline = recording.timeline
        // A container may be longer by the rest of its last audio packet.
        let end = timeline.end.flatMap { timeline.movieTime(of: $0) } ?? .max
        var project = EditProject(
            movie: composed, cameras: cameras, duration: min(result.progress.duration, end))
        project.matrix = output.color.matrix
        project.orientation = orientation
        project.audioTracks = recording.isMixed ? [""] : audio.map(\.input.name)
        project.steps = history.steps { $0 < timeline.end ?? .max ? timeline.movieTime(of: $0) : nil }
        project.chapters = recording.chapters.map { .init(start: $0.start, title: $0.title) }
        return project
    }
}

extension EditProject {
    /// The same with the numbers of the movies' first frames, as their files have them.
    fileprivate func countingByTimeCodes(in folder: FilePath) -> EditProject {
        func counting(_ movie: Movie) -> Movie {
            var movie = movie
            let code = try? TimeCode.first(in: folder.appending(fileBytes: movie.fileBytes))
            // The code may count by a multiple of the rate.
            movie.firstFrame =
                code.map { code in
                    let counted = Double(code.rateNumerator) / Double(code.rateDenominator)
                    return Int((Double(code.frameNumber) / counted * movie.rate.doubleValue).rounded())
                } ?? 0
            return movie
        }
        var project = self
        (project.movie, project.cameras) = (counting(movie), cameras.map(counting))
        return project
    }
}
