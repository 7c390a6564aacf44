import Encoding
import Errors
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import Photos
public import SystemPackage
import Threads

/// Takes photos with a session's main camera, while it records or not; while several cameras are recorded, of the composed frame, or of one
/// camera's own (``PhotoSettings/camera``).
///
/// A photo is the frame that was to be seen when it was asked for. It is as large as the mode that the camera runs in, and the camera's own
/// JPEG where it makes some. Frames are encoded and written one after the other, with low priority: a recording is never held up.
public final class PhotoOutput: Sendable {
    private let own = Locked(OwnSession())
    /// `nil` where it is removed from its session.
    private let attachments = Listeners<PhotoFrames?>()
    private let thread = PhotoThread()

    /// An output to be added to a session, by ``CaptureSession/addOutput(_:)``.
    public init() {}

    /// - Throws: ``RushesError`` if it is another session's.
    func attach(to session: CaptureSession) throws {
        try own.withLock { own throws(RushesError) in
            guard try own.set(session) else { return }
            session.photoFrames.attach()
            attachments.send(session.photoFrames)
        }
    }

    func detach() {
        own.withLock { own in
            own.session?.photoFrames.detach()
            own = OwnSession()
            attachments.send(nil)
        }
    }

    /// Whether a photo can be taken: what is so now, and each change, until the reader ends or the output is removed.
    public var readiness: AsyncStream<PhotoReadiness> {
        let (changes, continuation) = AsyncStream.makeStream(
            of: PhotoReadiness.self, bufferingPolicy: .bufferingNewest(1))
        let following = Locked<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))
        let follow = { @Sendable (frames: PhotoFrames?) in
            let task = frames.map { frames in
                Task { for await readiness in frames.readiness { continuation.yield(readiness) } }
            }
            // Who reads may have ended meanwhile.
            let old = following.withLock { following -> Task<Void, Never>? in
                guard !following.isOver else { return task }
                defer { following.task = task }
                return following.task
            }
            old?.cancel()
            guard frames == nil else { return }
            continuation.yield(.notReady)
            continuation.finish()
        }
        let key = attachments.add(follow)
        continuation.onTermination = { [attachments] _ in
            attachments.remove(key)
            following.withLock { following in
                following.isOver = true
                following.task?.cancel()
            }
        }
        own.withLock { own in
            if let session = own.session { follow(session.photoFrames) } else { continuation.yield(.notReady) }
        }
        return changes
    }

    /// Takes a photo of this instant and writes it.
    ///
    /// - Parameter path: a new file; its ending says what it is, `.jpg` or `.png`.
    /// - Throws: ``RushesError`` if no camera runs or none of its frames comes in time, the file is there already or cannot be written, each
    ///   described in one sentence with the cure; `CancellationError`. Then there is no file.
    public func capturePhoto(
        to path: FilePath, settings: PhotoSettings = PhotoSettings()
    ) async throws -> CapturedPhoto {
        var photo: CapturedPhoto?
        for try await taken in capture(1, to: path, settings, isNumbered: false) { photo = taken }
        guard let photo else { throw CancellationError() }
        return photo
    }

    /// Takes photos of frames that follow each other, beginning with the one of this instant. Where frames come faster than they are
    /// written, 64 MiB of them wait, and then some are passed over.
    ///
    /// - Parameters:
    ///   - count: of photos, from 1 to 100.
    ///   - path: of the first one; the others have numbers, "shot 2.jpg", and so has that one where the name is taken.
    /// - Throws: as ``capturePhoto(to:settings:)``; those that have been written by then stay.
    public func captureBurst(
        of count: Int, to path: FilePath, settings: PhotoSettings = PhotoSettings()
    ) async throws -> [CapturedPhoto] {
        var photos: [CapturedPhoto] = []
        for try await photo in capture(count, to: path, settings, isNumbered: true) { photos.append(photo) }
        try Task.checkCancellation()
        return photos
    }

    /// The same, each photo as it is written. The instant is that of the call.
    package func capture(
        _ count: Int, to path: FilePath, _ settings: PhotoSettings, isNumbered: Bool
    ) -> AsyncThrowingStream<CapturedPhoto, any Error> {
        let (photos, continuation) = AsyncThrowingStream.makeStream(of: CapturedPhoto.self)
        do {
            guard (1...100).contains(count) else {
                throw RushesError(.invalidSettings, "A burst has 1 to 100 photos; ask for so many.")
            }
            guard let session = own.withLock({ $0.session }) else {
                throw RushesError(
                    .notRunning, "The output belongs to no session; add it to one before it takes photos.")
            }
            let place = try PhotoPlace(
                path, isNumbered: isNumbered, keepingFree: settings.minFreeDiskSpaceLimit)
            let source = try settings.camera.map { try session.cameras.photoFrames(of: $0) } ?? session.photoFrames
            let now = session.now
            // The instant counts, so the frame is asked for before anything is waited for.
            let first = try source.ask(at: now, count: count, takesOriginal: place.format == .jpeg)
            let task = Task {
                do {
                    try await thread.run { _ in try place.check() }
                    var (frames, asked) = (first, now)
                    if frames == nil { (frames, asked) = try await waited(source, session, count, place) }
                    let (date, instant) = (RecordingDate(nil) { session.now }, asked)
                    for try await frame in frames ?? .init(unfolding: { nil }) {
                        let photo = try await thread.run { expectWaiting in
                            try Self.write(frame, place, settings, date, asked: instant, expectWaiting)
                        }
                        continuation.yield(photo)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: RushesError.published(error, as: .writeFailed, on: path.string))
                }
                // What looks at one camera alone does so until here.
                withExtendedLifetime(source) {}
            }
            continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
        } catch { continuation.finish(throwing: error) }
        return photos
    }

    /// Waits until there is space for another frame.
    private func waited(
        _ frames: PhotoFrames, _ session: CaptureSession, _ count: Int, _ place: PhotoPlace
    ) async throws -> (frames: PhotoFrames.Frames, asked: MediaTime) {
        let end = session.now + Self.timeout
        while session.now < end {
            _ = await withTimeout(Duration(end - session.now)) {
                for await readiness in frames.readiness { if case .busy = readiness { continue } else { return } }
            }
            let now = session.now
            if let asked = try frames.ask(at: now, count: count, takesOriginal: place.format == .jpeg) {
                return (asked, now)
            }
        }
        throw RushesError(.stalled, "Too many photos are waiting to be written; take fewer, or smaller ones.")
    }

    private static let timeout: MediaTime = 10 * .second

    private static func write(
        _ frame: PhotoFrames.Frame, _ place: PhotoPlace, _ settings: PhotoSettings, _ date: RecordingDate,
        asked: MediaTime, _ expectWaiting: () throws -> Void
    ) throws -> CapturedPhoto {
        let taken = date.date(ofRunningTime: frame.time)
        var marks = PhotoMarks(date: taken.date, secondsFromGMT: taken.secondsFromGMT)
        marks.orientation = settings.orientation ?? frame.orientation
        (marks.make, marks.model) = (settings.metadata.make, settings.metadata.model ?? frame.camera)
        marks.software = settings.metadata.software ?? "Rushes"
        if let location = settings.metadata.location, let found = Coordinate(iso6709: location) {
            marks.place = (found.latitude, found.longitude)
            marks.altitude = location.firstMatch(of: #/^[+-][\d.]+[+-][\d.]+([+-][\d.]+)/#).flatMap { Double($0.1) }
        }
        let bytes = try PhotoEncoding.bytes(of: frame, as: place.format, quality: settings.quality, marks)
        let format = frame.caps.first
        let stored = format?["width"]?.intValue.flatMap { width in
            format?["height"]?.intValue.map { VideoSize(Int(width), Int($0)) }
        }
        return CapturedPhoto(
            path: try place.write(bytes, expectWaiting), size: stored ?? JPEGSegments(bytes)?.size ?? VideoSize(0, 0),
            date: taken,
            time: frame.time, lag: asked - frame.time, isOriginal: format?.name == "image/jpeg")
    }
}

extension PhotoOutput: CaptureOutput, AttachableOutput {}
