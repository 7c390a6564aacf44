import MediaTypes
import SystemPackage
import Testing

@testable import Capture
@testable import RushesCommands

/// The last lines of a recording.
struct RecordingWordsTests {
    @Test func `each of several movies is told with its own size and its own dropped frames`() {
        var progress = RecordingProgress()
        (progress.duration, progress.frames, progress.bytes) = (10 * .second, 295, 3_500_000)
        progress.droppedFrames = 12
        var result = RecordingResult(reason: .stopped, isPlayable: true, path: "take.mov", progress: progress)
        #expect(result.words(hasVideo: true) == ["take.mov: 0:10.0, 295 frames, 3.5 MB, 12 frames dropped; stopped."])
        var own = RecordingPart(
            camera: "face", path: "take – face.mov", start: .zero, duration: 10 * .second, bytes: 1_000_000,
            frames: 293,
            isPlayable: true)
        own.droppedFrames = 7
        (result.cameraMovies, result.framesDroppedElsewhere) = ([own], 7)
        #expect(
            result.words(hasVideo: true) == [
                "take.mov: 0:10.0, 295 frames, 2.5 MB, 5 frames dropped; stopped.",
                "take – face.mov: 293 frames, 1 MB, 7 frames dropped.",
            ])
    }
}
