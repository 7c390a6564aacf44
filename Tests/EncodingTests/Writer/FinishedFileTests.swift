import GStreamer
import SystemPackage
import Testing

@testable import Encoding

@Suite struct FinishedFileTests {
    private func problem(frames: Int, audioTracks: Int, of plan: MoviePlan, _ fault: FinishedFile.Fault?) -> String? {
        var file = FinishedFile(
            path: "take.mov", size: 1000, frames: frames, audioTracks: audioTracks, isComplete: true, fault: fault)
        file.nameMissingTracks(of: plan)
        return file.problem
    }

    @Test func `a file in which writing failed before a track began says which`() throws {
        let track = MoviePlan.Track(caps: try Caps("audio/x-raw"), nodes: [])
        let movie = MoviePlan(muxer: "mp4mux", isMovieFile: true, video: track, audio: [track, track])
        let full = FinishedFile.Fault.writing("the disk is full")
        #expect(
            problem(frames: 0, audioTracks: 2, of: movie, full)
                == "No frame is in take.mov: writing failed before any was.")
        #expect(
            problem(frames: 9, audioTracks: 0, of: movie, full)
                == "No audio is in take.mov: writing failed before any was.")
        #expect(
            problem(frames: 9, audioTracks: 1, of: movie, full)?.hasPrefix("1 of 2 audio tracks are in take.mov:")
                == true)
        #expect(problem(frames: 9, audioTracks: 2, of: movie, full) == nil)
        // A microphone that gave nothing has another reason.
        #expect(problem(frames: 9, audioTracks: 0, of: movie, nil) == nil)
    }
}
