import ActivityPage
import DesktopActivity
import Foundation
import Rushes

/// What no example shows and programs need all the same. Rushes' own tests see more of it than a program does.
func useTheRest(of movie: FilePath) async throws {
    try await lookAround()
    try await photograph()
    try await makeTimelapses()
    try await shootTimelapse()
    planTimelapse()
    try expect(try MovieInfo(contentsOf: "garden.mov").video.first?.frameCount == 6, "a shot each half second")
    try edit(movie)
    try await exportMany(movie)
    try await showActivities()
}

struct Surprise: Error { let what: String }

private func expect(_ isTrue: Bool, _ what: String) throws {
    guard isTrue else { throw Surprise(what: what) }
}

private func lookAround() async throws {
    let listing = await DeviceDiscovery(timeout: .seconds(1)).listing()
    try expect(listing.devices.contains { $0.id == CaptureDevice.testCamera.id }, "the test camera is listed")
    _ = try VideoSourcePlan(.device(.testCamera), FormatRequest(size: VideoSize(640, 360), rate: Fraction(30)))
    try expect(
        EncodingPreset.all().contains { $0.name == "h264" && $0.container == .mp4 }, "there is a preset for H.264")
}

private func photograph() async throws {
    let session = CaptureSession()
    try await session.configure { $0.camera = try VideoSourcePlan(.test(TestPattern(size: VideoSize(320, 240)))) }
    let output = PhotoOutput()
    try await session.addOutput(output)
    try await session.start()
    for await readiness in output.readiness where readiness == .ready { break }
    var settings = PhotoSettings()
    (settings.quality, settings.metadata.make) = (95, "Outside")
    settings.orientation = MovieOrientation(rotation: .half)
    let photo = try await output.capturePhoto(to: "outside.jpg", settings: settings)
    try expect(photo.size == VideoSize(320, 240) && photo.date.date <= Date(), "the photo is of the camera")
    let burst = try await output.captureBurst(of: 3, to: "outside.jpg")
    try expect(burst.map(\.path).last == "outside 4.jpg", "a burst has numbers")
    try FileManager.default.createDirectory(atPath: "shots", withIntermediateDirectories: true)
    _ = try await output.captureBurst(of: 3, to: "shots/shot.jpg")
    await session.stop()
}

/// Switches as programs have them, over what may have more cases in a later version.
func summary(of result: RecordingResult) -> String {
    switch result.reason {
    case .stopped: "somebody stopped it"
    case .maximumDurationReached, .maximumSizeReached, .minimumFreeSpaceReached: "a limit is reached"
    case .deviceLost(let name, _): "\(name) was lost"
    case .writingFailed(let what), .fileLost(let what): what
    @unknown default: result.reason.isIntended ? "it has ended" : "a fault ended it"
    }
}

func isOver(_ event: BatchEvent, _ phase: ContentState.Phase) -> Bool {
    let isSuccess =
        switch phase {
        case .finished: true
        case .waiting, .running, .paused, .interrupted, .finishing, .failed, .cancelled: false
        @unknown default: phase.isFinal
        }
    return switch event {
    case .ended: true
    case .added, .began, .progress, .held, .postponed, .status: isSuccess
    @unknown default: isSuccess
    }
}

private func edit(_ movie: FilePath) throws {
    try expect(!MovieRecovery.isNeeded(movie), "the movie is whole")
    try MovieEditing.setMetadata(MovieMetadata(title: "Outside"), ofMovieAt: movie)
    try MovieEditing.setOrientation(MovieOrientation(rotation: .quarter), ofMovieAt: movie)
    let info = try MovieInfo(contentsOf: movie)
    try expect(
        info.metadata.title == "Outside" && info.video.first?.orientation.rotation == .quarter,
        "the movie tells its title and turn")
    do {
        try MovieCopy.copy(movie, to: movie)
        throw Surprise(what: "nothing was replaced")
    } catch let error as RushesError {
        try expect(error.code == .fileExists && error.subject == movie.string, "the name is taken")
    }
}

private func exportMany(_ movie: FilePath) async throws {
    let outputs: FilePath = "batch"
    try FileManager.default.createDirectory(atPath: outputs.string, withIntermediateDirectories: true)
    var settings = ExportSettings(preset: "copy")
    settings.range = TimeRange(start: .zero, end: MediaTime(seconds: 2))
    let plan = try BatchPlan(inputs: [movie], outputs: outputs, settings: settings)
    try expect(plan.problems().isEmpty, "the batch can begin")
    let summary = try await Batch(plan, jobs: 1).run()
    try expect(summary.isComplete && summary.done == 1, "the batch made its file")
    let again = try await Batch(try BatchPlan(resuming: outputs)).run()
    try expect(again.skipped == 1, "what is there is not made again")
    do {
        _ = try await ExportSession(input: "missing.mov").export(to: MovieDestination("out.mp4"))
    } catch let error as RushesError {
        try expect(error.code == .badInput, "a missing input is named")
    }
}

private func showActivities() async throws {
    let feed = ActivityFeed()
    let server = PageServer(
        feed: feed, address: PageAddress("127.0.0.1:0") ?? .standard, offers: { _ in [] }, control: { _, _ in })
    try await server.start()
    let desktop = DesktopActivity.reporter(offers: { _ in [] }, control: { _, _ in })
    let work = try Activity.request(
        kind: .compose, attributes: ActivityAttributes(title: "Surface"),
        content: ActivityContent(state: ContentState(phase: .running), staleDate: nil))
    let shown = [desktop, .progress(.plain, named: true)].map { $0.follow(work.events) }
    let page = Task { await feed.follow(work.events) }
    work.end(ActivityContent(state: ContentState(phase: .finished, fraction: 1), staleDate: nil))
    for task in shown + [page] { await task.value }
    await server.stop()
}
