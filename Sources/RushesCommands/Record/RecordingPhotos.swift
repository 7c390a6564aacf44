import Errors
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
    private let tasks = Locked<[Task<Void, Never>]>([])

    /// - Parameter rotation: by which each photo is turned as the machine is held at its instant.
    init(_ request: RecordingRequest, _ notice: RecordingNotice, _ rotation: MachineRotation?) {
        (self.request, self.notice, self.rotation) = (request, notice, rotation)
    }

    func attach(to session: CaptureSession) async throws {
        if request.camera != nil { try await session.addOutput(output) }
    }

    /// Takes them of this instant; returns at once.
    func take(_ wish: SnapshotWish) {
        let path = wish.path.map { FilePath($0) } ?? beside
        var settings = PhotoSettings()
        settings.metadata = request.settings.metadata
        // Composed frames are upright.
        if request.cameras.count == 1 || rotation != nil { settings.orientation = request.settings.orientation }
        if let rotation { settings.orientation?.rotation = rotation.rotation }
        let count = wish.count ?? 1
        let photos = output.capture(count, to: path, settings, isNumbered: count > 1 || wish.path == nil)
        let task = Task { [notice] in
            var taken: [CapturedPhoto] = []
            do {
                for try await photo in photos { taken.append(photo) }
            } catch {
                let problem = Sentence("\(Self.loss(taken.count, count)): \(error)").text
                StandardStreams.printNote("rushes: \(problem)")
                notice.tell(problem)
            }
            guard let words = Self.words(taken) else { return }
            StandardStreams.printNote(words)
            notice.tell(words)
        }
        tasks.withLock { tasks in tasks.append(task) }
    }

    private static func loss(_ taken: Int, _ count: Int) -> String {
        count == 1 ? "There is no photo" : "There are \(taken) of \(count) photos"
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
        let tasks = tasks.withLock { $0 }
        let isDone: Void? = await withTimeout(seconds: Self.limit) { for task in tasks { await task.value } }
        if isDone == nil {
            StandardStreams.printNote(
                "rushes: Not all photos are written after \(Int(Self.limit)) seconds; the others are lost.")
        }
    }

    private static let limit = 60.0
}
