import Capture
import Encoding
import GStreamer
import SystemPackage
import TestSupport

/// A session with test sources, for takes in this process.
enum TestTake {
    /// Settings that any machine keeps up with.
    static var settings: MovieSettings {
        var settings = MovieSettings()
        settings.videoCodec = .h264
        return settings
    }

    static let ball = VideoSource.test(TestPattern(pattern: "ball"))

    /// A running session; `nil` leaves a source out. A launch line stands for a source that misbehaves in a known way.
    static func session(
        camera: VideoSource? = ball, microphone: AudioSource? = .test(TestTone()),
        others: [AudioSource] = []
    ) async throws -> CaptureSession {
        let session = CaptureSession()
        let video = try camera.map { source in
            // A launch line says itself what it delivers.
            let isMade = if case .launchLine = source { false } else { true }
            return try VideoSourcePlan(
                source, isMade ? FormatRequest(size: VideoSize(320, 180), rate: Fraction(30)) : FormatRequest())
        }
        let audio = try ([microphone].compactMap(\.self) + others).map { try AudioSourcePlan($0, channels: 2) }
        try await session.configure {
            $0.camera = video
            $0.microphones = audio
        }
        try await session.start()
        return session
    }

    /// An output that was added to a session.
    static func output(of session: CaptureSession) async throws -> MovieFileOutput {
        let output = MovieFileOutput()
        try await session.addOutput(output)
        return output
    }

    /// A camera written as for gst-launch.
    static func camera(_ elements: String) -> VideoSource { .launchLine(elements) }

    static func destination(_ folder: TemporaryFolder, _ name: String = "take.mov", replaces: Bool = false)
        -> MovieDestination
    {
        MovieDestination(FilePath(folder.file(name)), replacesExisting: replaces)
    }

    /// How many frames are missing among the times, in seconds, of those of a camera of 30 a second, as those are that an encoder
    /// dropped; `nil` where one lies between two places. Matroska counts in milliseconds.
    static func missingFrames(in times: [Double]) -> Int? {
        let steps = zip(times, times.dropFirst()).map { ($1 - $0) * 30 }
        guard steps.allSatisfy({ $0 > 0.5 && abs($0 - $0.rounded()) < 0.12 }) else { return nil }
        return steps.reduce(0) { $0 + Int($1.rounded()) - 1 }
    }

    /// Little disk is enough for these takes.
    static func limits(
        seconds: Double? = nil, bytes: Int64? = nil, endsOnDeviceLoss: Bool = false
    ) -> RecordingLimits {
        RecordingLimits(
            maxRecordedDuration: seconds.map { .seconds($0) }, maxRecordedFileSize: bytes,
            minFreeDiskSpaceLimit: 1_000_000, endsOnDeviceLoss: endsOnDeviceLoss)
    }
}

extension Recording {
    /// Waits for an event that fits; `nil` if the take ends without one.
    func first<Value>(_ fits: (RecordingEvent) -> Value?) async -> Value? {
        for await event in events {
            if let value = fits(event) { return value }
        }
        return nil
    }

    /// Waits until the recording has told its progress so many times, which it does twice a second, also while it waits for its start.
    func tellsProgress(times: Int) async {
        var left = times
        _ = await first { event -> Bool? in
            if case .progress = event { left -= 1 }
            return left <= 0 ? true : nil
        }
    }

    /// Waits until the movie has some seconds.
    func reaches(seconds: Double) async {
        _ = await first { event -> Bool? in
            if case .progress(let progress) = event, progress.duration.seconds >= seconds { true } else { nil }
        }
    }
}
