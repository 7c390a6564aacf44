import Encoding
import MediaTypes
import MovieFiles

/// One camera's own movie beside a composed one, while it is written: the same first moment, the same length, the same audio.
struct CameraWriter: Sendable {
    let camera: String
    let writer: MovieWriter
    /// Frames that its encoder has handed out.
    let encodedFrames: @Sendable () -> Int?

    init(camera: String, writer: MovieWriter) {
        (self.camera, self.writer, encodedFrames) = (camera, writer, writer.countEncodedFrames())
    }

    /// - Parameter chapters: of the recording.
    func finish(within limit: Duration, chapters: [MovieInfo.Chapter]) async -> RecordingPart {
        var movie = RecordingPart(start: .zero, duration: .zero, bytes: 0, frames: 0, isPlayable: false)
        movie.camera = camera
        do {
            let hasLeft = writer.hasLeftAudio
            let file = try await writer.finish(
                within: hasLeft ? .zero : limit, chapters: chapters, progressCounter: encodedFrames)
            (movie.path, movie.bytes, movie.frames) = (file.path, file.size, file.frames)
            (movie.duration, movie.isPlayable, movie.problem) = (file.duration, file.isComplete, file.words)
            if hasLeft { movie.problem = "Its encoder hung, so it ends earlier than the recording." }
        } catch { movie.problem = "\(error)" }
        return movie
    }
}
