import Errors
import Foundation
import GStreamer
import TestSupport
import Testing
import Threads

@testable import Capture

/// Microphones that are muted while something else of the session changes.
@Suite struct MutedMeanwhileTests {
    @Test(.timeLimit(.minutes(10)))
    func `a microphone is muted at once while a camera is being opened, and stays so when that fails`() async throws {
        let folder = try TemporaryFolder()
        // Who opens it waits for somebody to write to it.
        let pipe = folder.file("camera.y4m")
        #expect(mkfifo(pipe, 0o600) == 0)
        let session = try await TestTake.session(
            camera: nil, microphone: .test(TestTone(volume: 0.5)), others: [.test(TestTone(frequency: 440))])
        let camera = try VideoSourcePlan(.launchLine("filesrc location=\(pipe) ! y4mdec"), FormatRequest())
        let opened = Locked(false)
        let change = Task {
            defer { opened.withLock { $0 = true } }
            try await session.configure { $0.camera = camera }
        }
        // The other end can be opened once the camera's element waits.
        var writer: Int32 = -1
        while writer < 0 {
            writer = open(pipe, O_WRONLY | O_NONBLOCK)
            if writer < 0 { await Task.yield() }
        }
        await session.setMuted(true, microphones: [0])
        for await levels in await session.levels(every: .milliseconds(50)) where levels.count == 2 {
            guard let muted = levels[0], let other = levels[1], muted.average[0] < -90 else { continue }
            #expect(other.average[0] > -60)
            break
        }
        #expect(!opened.withLock { $0 })
        close(writer)
        await #expect(throws: (any Error).self) { try await change.value }
        #expect(await session.configuration.microphones.map(\.isMuted) == [true, false])
        #expect(await session.configuration.camera == nil)
        await session.stop()
    }

    @Test func `a change takes over what was muted since it began, and nothing else`() throws {
        let plans = try [100, 200, 300].map {
            try AudioSourcePlan(.test(TestTone(frequency: Double($0))), channels: 1)
        }
        var present = CaptureSession.Configuration()
        present.microphones = plans
        for place in [0, 1] { present.microphones[place].isMuted = true }
        // One is gone and another has come meanwhile, and the first was to be heard anyway.
        var wanted = CaptureSession.Configuration()
        wanted.microphones = [plans[2], plans[1], try AudioSourcePlan(.test(TestTone(frequency: 400)), channels: 1)]
        wanted.microphones[2].isMuted = true
        wanted.takeOverMutes([1], of: present)
        #expect(wanted.microphones.map(\.isMuted) == [false, true, true])
        wanted.microphones = plans
        wanted.takeOverMutes([1], of: present)
        #expect(wanted.microphones.map(\.isMuted) == [false, true, false])
    }
}
