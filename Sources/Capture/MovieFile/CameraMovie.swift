import Encoding
import MovieFiles
public import SystemPackage

/// One camera's own movie beside a composed one: the same first moment, the same length, the same audio.
public struct CameraMovie: Sendable, Equatable {
    /// What the camera is called.
    public var camera: String
    /// Where the file is; `nil` if there is none.
    public var path: FilePath?
    /// Its size.
    public var bytes: Int64 = 0
    public var frames = 0
    /// Whether the file is there, complete and playable to its end.
    public var fileIsGood = false
    /// What kept the file from being good, or `nil`.
    public var problem: String?
}

/// The same while it is written.
struct CameraWriter: Sendable {
    let camera: String
    let writer: MovieWriter
    /// Frames that its encoder has handed out.
    let encodedFrames: @Sendable () -> Int?

    init(camera: String, writer: MovieWriter) {
        (self.camera, self.writer, encodedFrames) = (camera, writer, writer.countEncodedFrames())
    }

    /// - Parameter chapters: of the recording.
    func finish(within seconds: Double, chapters: [MovieInfo.Chapter]) async -> CameraMovie {
        var movie = CameraMovie(camera: camera)
        do {
            let hasLeft = writer.hasLeftAudio
            let file = try await writer.finish(
                within: hasLeft ? 0 : seconds, chapters: chapters, movement: encodedFrames)
            (movie.path, movie.bytes, movie.frames) = (file.path, file.size, file.frames)
            (movie.fileIsGood, movie.problem) = (file.isComplete, file.problem)
            if hasLeft { movie.problem = "Its encoder hung, so it ends earlier than the recording." }
            if case .lost(let words) = file.fault { movie.problem = words }
        } catch { movie.problem = "\(error)" }
        return movie
    }
}
