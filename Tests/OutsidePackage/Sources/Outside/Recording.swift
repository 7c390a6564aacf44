import Rushes

func record() async throws {
    let camera = try await CaptureDevice.default(for: .camera)
    let microphone = try await CaptureDevice.default(for: .microphone)

    let session = CaptureSession()
    try await session.configure {
        $0.camera = try VideoSourcePlan(.device(camera))
        $0.microphone = try AudioSourcePlan(.device(microphone))
    }
    let output = MovieFileOutput()
    try await session.addOutput(output)
    try await session.start()

    let recording = try await output.startRecording(
        to: MovieDestination("take.mov"), limits: RecordingLimits(maxRecordedDuration: .seconds(4)))
    let result = await recording.result
    await session.stop()
    print(result)
}

func recordInCatalogue() async throws {
    let camera = try await CaptureDevice.default(for: .camera)
    let session = CaptureSession()
    try await session.configure { $0.camera = try VideoSourcePlan(.device(camera)) }
    let output = MovieFileOutput()
    try await session.addOutput(output)
    try await session.start()

    let recording = try await output.startRecording(
        to: MovieDestination("take.mov"), limits: RecordingLimits(maxRecordedDuration: .seconds(4)))
    for await event in recording.events {
        if case .progress(let progress) = event { print(progress.duration) }
    }
    let result = await recording.result
    await session.stop()
    print(result)
}
