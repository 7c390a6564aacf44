import Errors
import FileSystem
import MovieFiles
import Rushes
import SystemPackage
import Threads

/// Takes photos while a recording runs, and says what became of each.
final class RecordingPhotos: Sendable {
    /// For those who watch from elsewhere.
    private let notice: RecordingNotice
    private let output = PhotoOutput()
    private let request: RecordingRequest
    private let rotation: MachineRotation?
    /// Ends when all photos asked for so far are written.
    private let writing = Locked<Task<Void, Never>?>(nil)

    /// - Parameter rotation: by which each photo is turned as the machine is held at its instant.
    init(_ request: RecordingRequest, _ notice: RecordingNotice, _ rotation: MachineRotation?) {
        (self.request, self.notice, self.rotation) = (request, notice, rotation)
    }

    func attach(to session: CaptureSession) async throws {
        if request.camera != nil { try await session.addOutput(output) }
    }

    /// Takes them of this instant; returns at once.
    ///
    /// - Returns: what says what became of them, as it is said here.
    @discardableResult
    func take(_ wish: SnapshotRequest, of recording: Recording) -> ControlAnswer {
        // The instant is that of the call.
        let photos = Result { try ask(wish) }
        let answer = ControlAnswer("The recording is taking \(wish.count ?? 1 > 1 ? "photos" : "a photo").") { [self] in
            do {
                let words = try await finish(photos.get(), wish, recording)
                return words
            } catch {
                tell(problem: Sentence("\(error)").text)
                throw error
            }
        }
        writing.withLock { writing in
            writing = Task { [before = writing] in
                await before?.value
                _ = await answer.work.result
            }
        }
        return answer
    }

    private typealias Photos = AsyncThrowingStream<CapturedPhoto, any Error>

    private func ask(_ wish: SnapshotRequest) throws -> Photos {
        guard !wish.isMoving || request.keepsHistory else {
            throw RushesError(
                .invalidSettings,
                "There is no moving photo: the recording does not keep its last seconds; begin it with --replay 5s.")
        }
        let path = wish.path.flatMap { FilePath(wireText: $0) } ?? beside
        var settings = PhotoSettings()
        settings.metadata = request.settings.metadata
        // Composed frames are upright.
        if wish.camera == nil, request.cameras.count == 1 || rotation != nil {
            settings.orientation = request.settings.orientation
            if let rotation { settings.orientation?.rotation = rotation.rotation }
        }
        settings.camera = wish.camera
        // The recording ends where less is free on its disk than this, and no photo is to bring that about.
        if FileStatus(path.folder)?.device == FileStatus(request.destination.folder)?.device {
            settings.minFreeDiskSpaceLimit = max(
                settings.minFreeDiskSpaceLimit, request.limits.minFreeDiskSpaceLimit + Self.margin)
        }
        let count = wish.count ?? 1
        return output.capture(count, to: path, settings, isNumbered: count > 1 || wish.path == nil)
    }

    /// Waits until all are written, and what is made around them.
    ///
    /// - Returns: what was written, in a sentence, which is said here too.
    /// - Throws: ``RushesError`` with what is missing of it.
    private func finish(_ photos: Photos, _ wish: SnapshotRequest, _ recording: Recording) async throws -> String {
        var (taken, failure): ([CapturedPhoto], (any Error)?) = ([], nil)
        do { for try await photo in photos { taken.append(photo) } } catch { failure = error }
        let words = Self.words(taken)
        if let words {
            StandardStreams.printNote(words)
            notice.tell(words)
        }
        if let failure { throw Self.loss(failure, taken.count, wish.count ?? 1) }
        guard let photo = taken.first, let words else {
            throw RushesError(.cancelled, "There is no photo: the recording has ended.")
        }
        guard wish.isMoving else { return words }
        return try await move(photo, recording)
    }

    /// Writes the movie of a moving photo; that it is there is an event.
    private func move(_ photo: CapturedPhoto, _ recording: Recording) async throws -> String {
        var path = photo.path
        path.extension = request.destination.path.extension
        do { return try await recording.saveMovie(around: photo, to: MovieDestination(path)).savedWords } catch {
            throw RushesError(
                .writeFailed, on: path.string,
                "The photo was taken, but not the movie around it: \(RushesError.answer(error))", underlying: error)
        }
    }

    private func tell(problem: String) {
        StandardStreams.printNote("rushes: \(problem)")
        notice.tell(problem)
    }

    private static func loss(_ error: any Error, _ taken: Int, _ count: Int) -> RushesError {
        let what =
            taken > 0
            ? "There are \(taken) of \(count) photos" : count == 1 ? "There is no photo" : "There are no photos"
        return RushesError(.writeFailed, "\(what): \(error)", underlying: error)
    }

    private static func words(_ photos: [CapturedPhoto]) -> String? {
        guard let first = photos.first, let last = photos.last else { return nil }
        if photos.count == 1 { return "Photo \(first.path): \(first.size)." }
        return "\(photos.count) photos, \(first.path) to \(last.path): \(first.size)."
    }

    /// "take – photo.jpg".
    private var beside: FilePath {
        var path = request.destination.beside("photo").path
        path.extension = "jpg"
        return path
    }

    /// Waits for those that are on their way, but not for ever; what is not written by then is told.
    func finish() async {
        let writing = writing.withLock { $0 }
        let isDone: Void? = await withTimeout(Self.limit) { await writing?.value }
        if isDone == nil {
            StandardStreams.printNote(
                "rushes: Not all photos were written within \(Self.limit.secondsText) seconds; the others are lost.")
        }
    }

    private static let limit = Duration.seconds(60)
    /// Bytes that a recording has for itself before photos on its disk end.
    private static let margin: Int64 = 8 << 20
}

extension FilePath {
    fileprivate var folder: FilePath {
        let folder = removingLastComponent()
        return folder.isEmpty ? "." : folder
    }
}
