import GStreamer
import PulseAudio
import Testing

@testable import Capture

/// Which source is recorded, and what is told of it, for what a server may say in whatever order.
@Suite struct MicrophoneLifeTests {
    /// A life with a clock and the server's answers.
    struct Play {
        var life: MicrophoneLife
        var now: MediaTime = 10 * .second
        var serial = 0
        var server = PulseSnapshot()

        init(_ source: String, followsDefault: Bool = false) {
            life = MicrophoneLife(
                ServerMicrophone(source: source, name: "Mic \(source)", followsDefault: followsDefault))
            server.sources = [Self.source(1, "a"), Self.source(2, "b"), Self.monitor]
            server.defaultSource = "a"
        }

        static func source(_ index: UInt32, _ name: String) -> PulseSource {
            PulseSource(index: index, name: name, description: "Mic \(name)")
        }

        static var monitor: PulseSource {
            var monitor = PulseSource(index: 9, name: "speaker.monitor", description: "Monitor")
            monitor.isMonitor = true
            return monitor
        }

        mutating func see(_ fact: MicrophoneLife.Fact) -> [MicrophoneLife.Action] { life.see(fact, at: now) }

        /// The server's present answer.
        mutating func look(_ change: (inout PulseSnapshot) -> Void = { _ in }) -> [MicrophoneLife.Action] {
            change(&server)
            serial += 1
            server.serial = serial
            return see(.snapshot(server))
        }

        /// The stream exists and its first samples come.
        mutating func flow(_ key: Int) -> [MicrophoneLife.Action] {
            see(.ready(key, index: UInt32(100 + key))) + see(.samples(key))
        }

        mutating func kill(_ key: Int) -> [MicrophoneLife.Action] {
            see(.ended(key, .killed, fresh: serial + 1))
        }

        mutating func wait(_ milliseconds: Int) -> [MicrophoneLife.Action] {
            now += milliseconds * .millisecond
            return see(.time)
        }

        var loss: String? { life.loss(at: now) }
    }

    func chosen() -> Play {
        var play = Play("a")
        #expect(play.look() == [.open(1, source: "a")])
        #expect(play.flow(1).isEmpty)
        return play
    }

    func byDefault() -> Play {
        var play = Play("a", followsDefault: true)
        #expect(play.look() == [.open(1, source: "a")])
        #expect(play.flow(1).isEmpty)
        return play
    }

    @Test func `a chosen microphone that is unplugged is lost at once, and no other is opened`() {
        var play = chosen()
        #expect(play.kill(1).isEmpty)
        // The server has not said yet what became of the source.
        #expect(play.loss == nil)
        let gone = play.look { server in
            server.sources.removeFirst()
            server.defaultSource = "b"
        }
        #expect(gone.isEmpty)
        #expect(play.loss == "it was unplugged")
        #expect(play.wait(5000).isEmpty)
    }

    @Test func `an old answer of the server opens nothing`() {
        var play = chosen()
        let old = play.server
        _ = play.kill(1)
        #expect(play.see(.snapshot(old)).isEmpty)
        _ = play.wait(3001)
        #expect(play.loss == "it was unplugged")
    }

    @Test func `another default leaves a chosen microphone alone`() {
        var play = chosen()
        #expect(play.look { $0.defaultSource = "b" }.isEmpty)
    }

    @Test func `one that is plugged in again is recorded again`() {
        var play = chosen()
        _ = play.kill(1)
        _ = play.look { $0.sources.removeFirst() }
        play.now += 5 * .second
        #expect(play.look { $0.sources.append(Play.source(7, "a")) } == [.open(2, source: "a")])
        #expect(play.see(.ready(2, index: 5)) == [.tell("Mic a is back and is being recorded again.")])
        #expect(play.loss == nil)
    }

    @Test func `a stream that is cut off again and again is asked for once a second`() {
        var play = chosen()
        var opened = 0
        for _ in 0..<40 {
            for case .open(let key, _) in play.look() {
                opened += 1
                _ = play.kill(key)
            }
            if play.life.isOpen { _ = play.kill(1) }
            play.now += 100 * .millisecond
        }
        #expect((2...4).contains(opened))
    }

    @Test func `another default is recorded once it flows, and told`() {
        var play = byDefault()
        #expect(play.look { $0.defaultSource = "b" } == [.open(2, source: "b")])
        #expect(play.see(.ready(2, index: 5)).isEmpty)
        #expect(play.life.records(1))
        #expect(
            play.see(.samples(2)) == [.close(1), .tell("The microphone switched to Mic b, which is now the default.")])
        #expect(play.life.records(2))
    }

    @Test func `the default that is unplugged is followed by the server's next, without a word of loss`() {
        var play = byDefault()
        _ = play.kill(1)
        let none = play.look { server in
            server.sources.removeFirst()
            server.defaultSource = nil
        }
        #expect(none.isEmpty, "PipeWire has no default for a moment")
        #expect(play.loss == nil)
        #expect(play.look { $0.defaultSource = "b" } == [.open(2, source: "b")])
        #expect(
            play.see(.ready(2, index: 5)) == [.tell("The microphone switched to Mic b, which is now the default.")])
        #expect(play.loss == nil)
    }

    /// What a server under load says before it names the next default: none, or still the one that is gone.
    @Test(arguments: [nil, "a"]) func `the next default is waited for up to a second, without a word of loss`(
        between: String?
    ) {
        var play = byDefault()
        play.server.sources.append(Play.source(3, "c"))
        _ = play.kill(1)
        #expect(
            play.look { server in
                server.sources.removeFirst()
                server.defaultSource = between
            }.isEmpty)
        for _ in 0..<9 {
            #expect(play.wait(100).isEmpty)
            #expect(play.loss == nil)
            #expect(play.life.isInterrupted, "silence fills the gap")
        }
        #expect(play.look { $0.defaultSource = "c" } == [.open(2, source: "c")])
        // The stream has time of its own.
        #expect(play.wait(499).isEmpty)
        #expect(play.loss == nil)
        #expect(play.see(.ready(2, index: 5)) == [.tell("The microphone switched to Mic c, which is now the default.")])
        _ = play.wait(300)
        #expect(play.loss == nil)
    }

    @Test func `where no default follows, any microphone is taken after a second, or the last one is lost in the end`()
    {
        var play = byDefault()
        _ = play.kill(1)
        _ = play.look { server in
            server.sources.removeFirst()
            server.defaultSource = nil
        }
        #expect(play.wait(999).isEmpty)
        #expect(play.wait(1) == [.open(2, source: "b")])
        #expect(play.wait(1500).isEmpty)
        var key = 2
        for _ in 0..<3 {
            #expect(play.wait(1) == [.close(key), .open(key + 1, source: "b")])
            key += 1
            #expect(play.wait(1500).isEmpty)
            #expect(play.loss == nil)
        }
        #expect(play.wait(997).count == 2)
        #expect(play.loss == nil)
        #expect(play.wait(1).isEmpty)
        #expect(play.loss == "it was unplugged")
        #expect(
            play.see(.ready(key + 1, index: 5)) == [
                .tell("The microphone switched to Mic b, which is now the default.")
            ])
        #expect(play.loss == nil)
    }

    @Test func `a successor's stream that the server does not make is asked for again, and is a loss in the end`() {
        var play = byDefault()
        #expect(play.kill(1).isEmpty)
        let opened = play.look { ($0.sources, $0.defaultSource) = ([Play.source(2, "b"), Play.monitor], "b") }
        #expect(opened == [.open(2, source: "b")])
        #expect(play.wait(1500) == [] && play.loss == nil)
        var flowing = play
        #expect(play.wait(100) == [.close(2), .open(3, source: "b")])
        #expect(flowing.wait(100) == [.close(2), .open(3, source: "b")])
        #expect(flowing.flow(2).isEmpty)
        #expect(flowing.flow(3) == [.tell("The microphone switched to Mic b, which is now the default.")])
        #expect(flowing.loss == nil)
        for _ in 0..<30 { _ = play.wait(200) }
        #expect(play.loss == nil)
        _ = play.wait(600)
        #expect(play.loss == "it was unplugged")
    }

    @Test func `a server that says nothing after the default is gone is a loss in the end`() {
        var play = byDefault()
        _ = play.kill(1)
        #expect(play.wait(4000).isEmpty)
        #expect(play.loss == nil)
        #expect(play.wait(1).isEmpty)
        #expect(play.loss == "it was unplugged")
    }

    @Test func `a default that was followed and is gone does not bring back the first before the server says so`() {
        var play = byDefault()
        _ = play.look { $0.defaultSource = "b" }
        _ = play.flow(2)
        _ = play.kill(2)
        #expect(play.look { $0.sources.removeAll { $0.name == "b" } }.isEmpty)
        #expect(play.wait(500).isEmpty)
        #expect(play.look { $0.defaultSource = "a" } == [.open(3, source: "a")])
    }

    @Test func `the last microphone is lost, though the server makes a monitor the default`() {
        var play = byDefault()
        _ = play.kill(1)
        let gone = play.look { server in
            server.sources = [Play.monitor]
            server.defaultSource = "speaker.monitor"
        }
        #expect(gone.isEmpty)
        #expect(play.loss == "it was unplugged")
    }

    @Test func `a filter that is made to hear another microphone is lost as a chosen one`() {
        var play = Play("a")
        func chain(_ server: inout PulseSnapshot, to origin: UInt32) {
            server.sources[0].chain = [.module(4)]
            var output = PulseSourceOutput(index: 50, source: origin)
            output.chain = [.module(4)]
            server.outputs = [output]
        }
        _ = play.look { chain(&$0, to: 9) }
        _ = play.flow(1)
        #expect(play.look { chain(&$0, to: 9) }.isEmpty)
        #expect(play.look { chain(&$0, to: 2) } == [.close(1)])
        #expect(play.loss == "it now records from Mic b")
        #expect(play.look().isEmpty)
        #expect(play.wait(5000).isEmpty)
    }

    @Test func `one that is not there, or a server that has ended, is a loss`() {
        var play = Play("c")
        #expect(play.look().isEmpty)
        #expect(play.loss == "it was unplugged")
        var other = chosen()
        _ = other.see(.failed(.terminated))
        #expect(other.loss == "its sound server has ended")
    }

    @Test func `a server that is started again gives its microphone back, and not before that is there`() {
        var play = chosen()
        // A new server counts anew.
        (play.serial, play.server.sources) = (0, [Play.source(4, "b")])
        #expect(play.see(.failed(.terminated)).isEmpty && play.see(.failed(.terminated)).isEmpty)
        #expect(play.see(.connected).isEmpty)
        #expect(play.loss == "its sound server has ended")
        #expect(play.look().isEmpty)
        #expect(play.loss == "its sound server has ended")
        #expect(play.look { $0.sources.append(Play.source(5, "a")) } == [.open(2, source: "a")])
        #expect(play.flow(2) == [.tell("Mic a is back and is being recorded again.")])
        #expect(play.loss == nil)
        #expect(play.see(.connected).isEmpty && play.loss == nil)
    }
}
