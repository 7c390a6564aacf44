import MediaTypes
import Testing

@testable import Capture

@Suite struct RecordingStateMachineTests {
    typealias Machine = RecordingStateMachine

    private static let fine = RecordingMonitor.Snapshot(
        bytes: 1_000_000, freeBytes: 10_000_000_000, duration: 2 * .second, encoded: 2 * .second,
        camera: .init(name: "Camera"),
        microphones: [.init(name: "Microphone")])

    private static func snapshot(_ change: (inout RecordingMonitor.Snapshot) -> Void) -> Machine.Input {
        var snapshot = fine
        change(&snapshot)
        return .evaluate(snapshot)
    }

    /// Everything that can be asked for or happen.
    private static let inputs: [Machine.Input] = [
        .start, .started, .pause, .resume, .split, .mark(nil), .end(.stopped),
        .end(.deviceLost("Camera", "another size")),
        .tracksComplete,
        .evaluate(fine), snapshot { $0.camera?.state = .lost("unplugged") }, snapshot { $0.camera?.state = .ended },
        snapshot { $0.microphones[0].state = .lost("unplugged") }, snapshot { $0.writingFailure = "disk full" },
        snapshot { $0.isOverdue = true },
    ]

    @Test func `before its start nothing is paused, marked or split, and no full disk ends it; the start comes once`() {
        var machine = Machine(limits: RecordingLimits(), isStandby: true)
        for input in [
            Machine.Input.pause, .resume, .split, .mark(nil), .startFailed, Self.snapshot { $0.freeBytes = 1 },
        ] {
            #expect(machine.handle(input, at: .second) == [])
        }
        #expect(machine.phase == .standby)
        #expect(machine.handle(.start, at: 2 * .second) == [.begin(at: 2 * .second)])
        #expect(machine.handle(.start, at: 3 * .second) == [])
        #expect(machine.handle(.pause, at: 3 * .second) == [.pause(at: 3 * .second)])
        // Where the file could not be had it waits again.
        #expect(machine.handle(.startFailed, at: 3 * .second) == [] && machine.phase == .standby)
        #expect(machine.handle(.start, at: 4 * .second) == [.begin(at: 4 * .second)])
    }

    @Test func `an end waits for the file that is being opened, and not for ever`() {
        for last in [Machine.Input.started, .startFailed, Self.snapshot { _ in }] {
            var machine = Machine(limits: RecordingLimits(), isStandby: true)
            _ = machine.handle(.start, at: .second)
            #expect(machine.handle(.tracksComplete, at: 2 * .second) == [.end(at: 2 * .second)])
            #expect(machine.handle(Self.snapshot { _ in }, at: 9 * .second) == [])
            #expect(machine.handle(last, at: 40 * .second).last == .finish(.maximumDurationReached))
            #expect(machine.hasWaited)
        }
    }

    @Test func `what waits for its start ends when somebody says so, and where its camera does`() {
        var machine = Machine(limits: RecordingLimits(endsOnDeviceLoss: true), isStandby: true)
        #expect(machine.handle(.end(.stopped), at: .second) == [.end(at: .second)])
        machine = Machine(limits: RecordingLimits(endsOnDeviceLoss: true), isStandby: true)
        #expect(
            machine.handle(Self.snapshot { $0.camera?.state = .lost("unplugged") }, at: .second) == [.end(at: .second)])
    }

    @Test func `what was lost before the movie begins is not lost in it; what its pre-roll lacks is`() {
        var machine = Machine(limits: RecordingLimits(), isStandby: true)
        func look(_ lost: Set<String>, _ second: Int) -> [Machine.Action] {
            let snapshot = Self.snapshot {
                $0.composed = ["A", "B"].map {
                    .init(name: $0, state: lost.contains($0) ? .lost("unplugged") : .running)
                }
                $0.encoded = second * .second
            }
            return machine.handle(snapshot, at: second * .second)
        }
        #expect(look(["A"], 3).count == 1 && look([], 4).count == 1)
        #expect(look(["A", "B"], 10).count == 2 && look(["A", "B"], 11).isEmpty && look(["B"], 12).count == 1)
        _ = machine.handle(.start, at: 13 * .second)
        // What is not back is told again, once, and is one loss.
        #expect(look(["B"], 14).count == 1 && look(["B"], 15).isEmpty)
        let losses = machine.losses(from: 8 * .second)
        #expect(losses.map(\.name) == ["A", "B"] && losses.map(\.time) == [2 * .second, 2 * .second])
        #expect(losses.map(\.end) == [4 * .second, nil])
        let later = machine.losses(from: MediaTime(seconds: 12.5))
        #expect(later.map(\.name) == ["B"] && later.map(\.time) == [.zero])
    }

    private static let step = MediaTime.second / 2

    /// Every row of four inputs, half a second apart, and then looks until the time is up.
    @Test func `whatever happens, a recording ends once, in order, and within a second of the reason`() throws {
        let count = Self.inputs.count
        for row in 0..<(count * count * count * count) {
            var machine = Machine(limits: RecordingLimits())
            var (done, now, ended): ([Machine.Action], MediaTime, MediaTime?) = ([], .zero, nil)
            func step(_ input: Machine.Input) {
                now = now + Self.step
                let actions = machine.handle(input, at: now)
                if actions.contains(where: { if case .end = $0 { true } else { false } }) { ended = now }
                done += actions
            }
            var rest = row
            for _ in 0..<4 {
                step(Self.inputs[rest % count])
                rest /= count
            }
            if ended == nil { step(.end(.stopped)) }
            let reached = try #require(ended)
            repeat { step(.evaluate(Self.fine)) } while now < reached + Machine.grace
            #expect(machine.phase == .finishing, "row \(row)")
            let finishes = done.indices.filter { if case .finish = done[$0] { true } else { false } }
            #expect(finishes == [done.count - 1], "row \(row): \(done)")
            func only(_ isIt: (Machine.Action) -> Bool) -> Int? {
                let places = done.indices.filter { isIt(done[$0]) }
                return places.count == 1 ? places[0] : nil
            }
            let places = [
                only { if case .end = $0 { true } else { false } },
                only { if case .endVideo = $0 { true } else { false } },
                only { $0 == .endAudio },
            ]
            let (first, video, audio) = try (#require(places[0]), #require(places[1]), #require(places[2]))
            #expect(first < video && first < audio, "row \(row): \(done)")
            let commands = done.suffix(from: first).contains {
                switch $0 {
                case .pause, .resume, .mark, .split: true
                default: false
                }
            }
            #expect(!commands, "nothing is begun after the end; row \(row): \(done)")
        }
    }

    @Test func `a stop waits for what lies before it, and no longer than a second`() {
        var machine = Machine(limits: RecordingLimits())
        #expect(machine.handle(.end(.stopped), at: 5 * .second) == [.end(at: 5 * .second)])
        #expect(machine.handle(.evaluate(Self.fine), at: 5 * .second) == [])
        #expect(machine.handle(.end(.writingFailed("late")), at: 5 * .second) == [])
        var prompt = machine
        let complete: [Machine.Action] = [.endVideo(isLost: false), .endAudio, .finish(.stopped)]
        #expect(prompt.handle(.tracksComplete, at: 5100 * .millisecond) == complete)
        #expect(machine.handle(.evaluate(Self.fine), at: 6 * .second) == complete)
    }

    @Test func `nothing is waited for from a lost camera, or where nothing can be written`() {
        var machine = Machine(limits: RecordingLimits())
        let lost = Self.snapshot { $0.camera?.state = .lost("unplugged") }
        #expect(machine.handle(lost, at: .second) == [.end(at: .second)])
        // The microphone's last samples are.
        #expect(machine.handle(lost, at: .second) == [.endVideo(isLost: true)])
        #expect(
            machine.handle(.tracksComplete, at: .second) == [.endAudio, .finish(.deviceLost("Camera", "unplugged"))])

        var full = Machine(limits: RecordingLimits())
        let failure = Self.snapshot { $0.writingFailure = "disk full" }
        #expect(full.handle(failure, at: .second) == [.end(at: .second)])
        #expect(
            full.handle(failure, at: .second)
                == [.endVideo(isLost: false), .endAudio, .finish(.writingFailed("disk full"))])
    }

    @Test func `what a camera owes that falls silent just before the end counts as dropped`() {
        var machine = Machine(limits: RecordingLimits())
        _ = machine.handle(.end(.stopped), at: .second)
        let lost = Self.snapshot { $0.camera?.state = .lost("no frame for 3 seconds") }
        #expect(machine.handle(lost, at: 1200 * .millisecond) == [.endVideo(isLost: false)])

        var told = Machine(limits: RecordingLimits())
        let held = Self.snapshot { snapshot in
            snapshot.camera?.state = .lost("unplugged")
            snapshot.camera?.returns = true
        }
        _ = told.handle(held, at: .second)
        _ = told.handle(.end(.stopped), at: 2 * .second)
        #expect(told.handle(held, at: 2200 * .millisecond).contains(.endVideo(isLost: true)))
    }

    @Test func `tracks that reach the end by themselves have reached a limit`() {
        var machine = Machine(limits: RecordingLimits())
        let expected: [Machine.Action] = [
            .end(at: .second), .endVideo(isLost: false), .endAudio, .finish(.maximumDurationReached),
        ]
        #expect(machine.handle(.tracksComplete, at: .second) == expected)
    }

    @Test func `a microphone that is lost just before a stop is told of and listed`() {
        var machine = Machine(limits: RecordingLimits())
        _ = machine.handle(.end(.stopped), at: .second)
        let silent = Self.snapshot { $0.microphones[0].state = .lost("unplugged") }
        let words = "Microphone is lost (unplugged); the recording continues without sound."
        #expect(machine.handle(silent, at: .second) == [.warn(words), .endAudio])
        #expect(machine.losses().map(\.name) == ["Microphone"])
    }

    @Test func `of two microphones only the lost one is not waited for at the end`() {
        var machine = Machine(limits: RecordingLimits())
        _ = machine.handle(.end(.stopped), at: .second)
        let oneLost = Self.snapshot {
            $0.microphones = [.init(name: "Desk"), .init(name: "Speakers", state: .lost("unplugged"))]
        }
        #expect(machine.handle(oneLost, at: .second).last == .endMicrophone(1))
        #expect(machine.handle(oneLost, at: .second).isEmpty)
        let bothLost = Self.snapshot {
            $0.microphones = ["Desk", "Speakers"].map { .init(name: $0, state: .lost("unplugged")) }
        }
        #expect(machine.handle(bothLost, at: .second).last == .endAudio)
    }

    @Test func `parts begin when they are due, and again from where one began`() {
        var machine = Machine(limits: RecordingLimits(maxPartDuration: .seconds(10)))
        func look(_ movie: MediaTime, part: MediaTime) -> Machine.Input {
            Self.snapshot { ($0.duration, $0.partBegin) = (movie, part) }
        }
        #expect(machine.handle(look(8 * .second, part: .zero), at: .second) == [])
        #expect(machine.handle(look(9 * .second, part: .zero), at: .second) == [.split(at: 10 * .second)])
        #expect(machine.handle(look(11 * .second, part: 10 * .second), at: .second) == [])
        #expect(machine.handle(look(19 * .second, part: 10 * .second), at: .second) == [.split(at: 20 * .second)])
    }
}
