import GStreamer
import PulseAudio
import Testing

@testable import Capture

/// What is told of a microphone's volume and silence.
extension MicrophoneLifeTests {
    @Test func `a volume is told where its slider comes to rest, and not while it is muted`() {
        var play = chosen()
        for volume in [0.9, 0.8, 0.5] { #expect(play.look { $0.sources[0].volume = volume }.isEmpty) }
        #expect(play.wait(250).isEmpty)
        #expect(play.wait(250) == [.tell("The volume of Mic a is now 50% (0.0 dB) in the sound settings.")])
        #expect(play.life.serverVolume?.percent == 50)
        _ = play.see(.samples(1)) + play.look { ($0.sources[0].volume, $0.sources[0].isMuted) = (0.3, true) }
        #expect(play.wait(500).isEmpty)
        // There and back.
        _ = play.see(.samples(1))
        for volume in [0.6, 0.3] { _ = play.look { ($0.sources[0].volume, $0.sources[0].isMuted) = (volume, false) } }
        #expect(play.wait(500).isEmpty)
    }

    @Test func `mute, suspension and a server that says nothing are told when they begin and when they end`() {
        var play = chosen()
        #expect(
            play.look { $0.sources[0].isMuted = true }
                == [.tell("Mic a is muted in the sound settings; silence is recorded.")])
        #expect(play.life.standing.count == 1)
        #expect(play.look { $0.sources[0].isMuted = false } == [.tell("Mic a is no longer muted.")])
        #expect(play.see(.suspended(1, true)).count == 1)
        #expect(play.life.isInterrupted)
        // For as long as the server says so.
        #expect(play.wait(100_000).isEmpty)
        #expect(play.loss == nil)
        #expect(play.see(.suspended(1, false)).count == 1)
        #expect(play.see(.samples(1)).isEmpty)
        #expect(play.wait(750).isEmpty, "this process may have been held up")
        #expect(play.wait(50).count == 1)
        #expect(play.life.isInterrupted)
        #expect(play.wait(1000).isEmpty)
        #expect(play.see(.samples(1)) == [.tell("Mic a is back after a silence of 1.8 seconds.")])
        _ = play.wait(31_000)
        #expect(play.loss == "its sound server has delivered nothing for 30 seconds")
    }
}
