import Composition
import Dispatch
import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import LiveActivity
import MediaTypes
import MovieFiles
import Photos
import SystemPackage
import Threads

/// Photos, for a timelapse.
struct PhotoOrigin: ExportOrigin {
    let timelapse: Timelapse
    let inputs: [FilePath]

    /// Lists the photos. Blocks.
    ///
    /// - Throws: ``RushesError`` where there is none.
    init(_ timelapse: Timelapse) throws(RushesError) {
        self.timelapse = timelapse
        inputs = try PhotoListing.photos(timelapse.paths)
    }

    var path: FilePath { timelapse.input }
    var kind: ActivityKind { .timelapse }
    var images: [MovieDestination] { timelapse.look.images }

    func open() throws -> @Sendable () throws -> any ExportInput {
        return { [self] in try PhotoInput(inputs, timelapse) }
    }
}

/// Photos as what a timelapse is made of, in their order.
struct PhotoInput: ExportInput {
    private let timelapse: Timelapse
    private let photos: [PhotoFile]
    private let schedule: PhotoSchedule
    private let images: TimelapseImages
    /// What becomes of each photo's light, once that is known.
    private var light = LightPlan()
    private let size: VideoSize
    /// Those that are known before not to be readable, and why.
    private let unreadable: [(path: FilePath, reason: String)]
    let properties: InputProperties
    let notes: [String]

    /// Reads when and how each was taken, and sorts them. Blocks.
    ///
    /// - Throws: ``RushesError`` where less than two are left.
    init(_ paths: [FilePath], _ timelapse: Timelapse) throws {
        self.timelapse = timelapse
        let read = Self.read(paths)
        let (readable, damaged, undated) = Self.withoutDamaged(read.compactMap { try? $0.get() })
        let all = PhotoOrder.sorted(readable)
        unreadable =
            zip(paths, read).compactMap { path, result in
                guard case .failure(let error) = result else { return nil }
                return (path, "\(error)")
            } + damaged
        guard !all.isEmpty else {
            throw RushesError(
                .badInput, "None of the photos can be read: \(unreadable.first?.reason ?? "there is none").")
        }
        schedule = try PhotoSchedule(timelapse, all)
        photos = schedule.shots.map { all[$0.photo] }
        images = TimelapseImages(timelapse.look)
        if let stamp = timelapse.look.stamp, let date = photos.lazy.compactMap(\.date).first {
            try StampPainter.check(stamp, StampMoment(date))
            let unknown = photos.count { $0.date.map { $0.secondsFromGMT == nil } ?? false }
            guard unknown == 0 || !StampMoment.needsZone(stamp) else {
                throw RushesError(
                    .invalidSettings,
                    "\(unknown) of \(photos.count) photos do not tell their time zone, so %Z, %z and %s cannot be drawn into "
                        + "them; leave them out of the \(Term.stamp).")
            }
        } else if timelapse.look.stamp != nil {
            throw RushesError(
                .invalidSettings,
                "The photos do not say when they were taken, so no time can be drawn into them; leave the \(Term.stamp) out."
            )
        }
        if let size = timelapse.movieSize(photos) {
            self.size = size
        } else {
            self.size = Timelapse.limited(try Self.decodedSize(photos))
        }
        notes = Self.orderNotes(undated) + Self.colorNotes(all) + Self.shapeNotes(photos, size, timelapse.fit)
        var properties = InputProperties(duration: MediaTime(samples: schedule.length, of: timelapse.rate))
        // Those that tell no time zone are taken to be of this machine's.
        properties.metadata.creationDate = photos.lazy.compactMap(\.date).first.map {
            MovieDate(local: $0, in: .current)
        }
        properties.metadata.markTimelapse()
        self.properties = properties
    }

    /// Of the first that can be decoded. Each is decoded once: by the next time it may be gone.
    private static func decodedSize(_ photos: [PhotoFile]) throws(RushesError) -> VideoSize {
        let decoder = PhotoDecoder()
        var reason: String?
        for photo in photos {
            do {
                return try decoder.withFrame(of: photo, atLeast: { $0 }) { photo.shown($0.format.size) }
            } catch {
                reason = reason ?? " (\(photo.path.displayName): \(error))"
            }
        }
        throw RushesError(.badInput, "None of the photos can be decoded here\(reason ?? "").")
    }

    private static func read(_ paths: [FilePath]) -> [Result<PhotoFile, Errno>] {
        let results = Locked<[Int: Result<PhotoFile, Errno>]>([:])
        DispatchQueue.concurrentPerform(iterations: paths.count) { index in
            let result = Result { () throws(Errno) in try PhotoFile(paths[index]) }
            results.withLock { $0[index] = result }
        }
        return results.withLock { results in paths.indices.compactMap { results[$0] } }
    }

    /// Of photos some of which say when they were taken, those without what only seems to be one: damaged, empty, of another kind. It
    /// would be a photo without a date, and change the order of all.
    private static func withoutDamaged(
        _ photos: [PhotoFile]
    ) -> (photos: [PhotoFile], damaged: [(path: FilePath, reason: String)], undated: PhotoFile?) {
        guard photos.contains(where: { $0.date != nil }) else { return (photos, [], nil) }
        let decoder = PhotoDecoder()
        var (kept, damaged, undated) = ([PhotoFile](), [(path: FilePath, reason: String)](), PhotoFile?.none)
        for photo in photos {
            // One that can be decoded settles it; the rest is told when it is to be shown.
            if photo.date == nil, undated == nil {
                do {
                    try decoder.withFrame(of: photo, atLeast: { _ in VideoSize(1, 1) }) { _ in undated = photo }
                } catch {
                    damaged.append((photo.path, "\(error)"))
                    continue
                }
            }
            kept.append(photo)
        }
        return (kept, damaged, undated)
    }

    private static func orderNotes(_ undated: PhotoFile?) -> [String] {
        guard let name = undated?.path.lastComponent?.string else { return [] }
        return ["\(name) does not say when it was taken, so all photos are in the order of their names."]
    }

    private static func colorNotes(_ photos: [PhotoFile]) -> [String] {
        let names = Dictionary(grouping: photos.compactMap(\.profileName)) { $0 }.mapValues(\.count)
        return names.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { name, count in
            "\(count) of \(photos.count) photos \(count == 1 ? "has" : "have") the colors of \(name), and "
                + "\(count == 1 ? "is" : "are") shown as if they were sRGB's."
        }
    }

    /// What is cut off of photos, unless that is next to nothing.
    private static func shapeNotes(_ photos: [PhotoFile], _ size: VideoSize, _ fit: PhotoFit) -> [String] {
        let count = photos.count { photo in
            guard let own = photo.shownSize else { return false }
            let (across, down) = (Double(own.width * size.height), Double(size.width * own.height))
            return abs(across - down) > 0.01 * max(across, down)
        }
        guard fit == .crop, count > 0 else { return [] }
        return [
            "\(count) of \(photos.count) photos \(count == 1 ? "has" : "have") another shape than \(size), so "
                + "\(count == 1 ? "its" : "their") edges are cut off; \(Term.paddedPhotos) shows all of "
                + "\(count == 1 ? "it" : "them")."
        ]
    }

    var file: InputFile? { nil }
    var displayName: String { timelapse.input.displayName }

    func prepared(_ status: ExportStatus) async throws -> any ExportInput {
        guard timelapse.light.isMeasured else { return self }
        var input = self
        let lights = PhotoLights(photos: photos, region: timelapse.light.region, status: status)
        let measured = try await onOwnThread("rushes-light") { try lights.measure() }
        input.light = LightPlan(measured.enumerated().map { ($0, $1) }, timelapse.light)
        return input
    }

    func source(for target: ExportTarget, without reasons: RetryReasons) throws -> any FrameSource {
        try PhotoSource(
            photos, schedule, size: size, timelapse, light: light, lookupTable: target.lookupTable, images: images,
            unreadable: unreadable)
    }

    func writeImages() -> [String] { images.write() }
}

extension MovieDate {
    /// What a camera's clock showed, in the zone that it tells, else in the one that it is taken to have been set to.
    init(local date: PhotoDate, in zone: TimeZone) {
        if let offset = date.secondsFromGMT {
            self.init(
                Date(timeIntervalSince1970: Double(date.milliseconds) / 1000 - Double(offset)), secondsFromGMT: offset)
            return
        }
        let shown = Date(timeIntervalSince1970: Double(date.milliseconds) / 1000)
        // Near a change of the clocks the offset of that day's other half is an hour off, as the photo does not tell which it is.
        self.init(shown.addingTimeInterval(-Double(zone.secondsFromGMT(for: shown))), in: zone)
    }
}

extension StampMoment {
    init(_ date: PhotoDate) {
        self.init(local: Double(date.milliseconds) / 1000, secondsFromGMT: date.secondsFromGMT)
    }
}
