import Foundation
import TestSupport
import Testing

/// `rushes activities` and `rushes control` beside a recording in another process.
@Suite(.timeLimit(.minutes(25)), .turn) struct ActivityCommandTests {
    private let folder: TemporaryFolder
    /// A journal of its own for each test.
    private let journal: [String: String?]

    init() throws {
        folder = try TemporaryFolder()
        journal = ["XDG_STATE_HOME": folder.file("state")]
    }

    private func run(_ arguments: String..., limit: Duration = .seconds(120)) async throws -> ToolResult {
        try await run(arguments, limit: limit)
    }

    private func run(_ arguments: [String], limit: Duration = .seconds(120)) async throws -> ToolResult {
        try await BuiltCommand.rushes.run(arguments, limit: limit, environment: journal, folder: folder.path)
    }

    private func activities() async throws -> [Event] { try Event.all(try await run("activities", "--json").text) }

    /// A take without end, once it has begun.
    private func take(_ name: String = "take.mov") async throws -> RunningCommand {
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "--codec", "h264", name], environment: journal, folder: folder.path)
        for await line in take.lines where try Event(line).event == "update" { break }
        return take
    }

    @Test func `a recording is listed, followed and stopped from other processes`() async throws {
        let take = try await take()
        let listed = try #require(try await activities().first)
        #expect(
            listed.kind == "recording" && listed.attributes?.title == "take.mov" && listed.attributes?.pid == take.pid)
        #expect(listed.attributes?.output == folder.file("take.mov"))
        let line = try await run("activities").text
        #expect(line.hasPrefix(listed.id.prefix(8)) && line.contains("take.mov: recording running, "), "\(line)")

        let follower = try BuiltCommand.rushes.start(["activities", "--follow", "--json"], environment: journal)
        let words = try BuiltCommand.rushes.start(["activities", "--follow"], environment: journal)
        var received: [Event] = []
        for await line in follower.lines {
            received.append(try Event(line))
            if received.count == 4 {
                let refused = try await run("control", String(listed.id.prefix(6)), "cancel")
                #expect(refused.status == 1)
                #expect(
                    refused.errors
                        == "rushes: take.mov cannot be asked to cancel; it accepts pause, resume, stop, split, mark, switch, snapshot, mute, unmute and set.\n"
                )
                let stopped = try await run("control", String(listed.id.prefix(6)), "stop")
                #expect(stopped.status == 0 && stopped.text.isEmpty, "\(stopped)")
                #expect(stopped.errors == "Stopped take.mov; its file is being completed.\n")
            }
            if received.last?.event == "end" { break }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(
            received.first?.event == "start" && received.first?.seq == 1
                && received.first?.attributes?.title == "take.mov")
        #expect(received.map(\.seq) == Set(received.map(\.seq)).sorted())
        let (own, last) = (try #require(try Event.all(result.text).last), try #require(received.last))
        #expect((last.seq, last.state.phase, last.state.reason) == (own.seq, "finished", "stopped"))
        try await FFmpeg.decode(folder.file("take.mov"))

        for await line in words.lines where line.hasPrefix("take.mov: recording finished, ") { break }
        for command in [follower, words] {
            command.signal(SIGINT)
            #expect(try await command.result(within: .seconds(60)).status == 0)
        }
        #expect(try await activities().map(\.state.phase) == ["finished"])
        let late = try await run("control", listed.id, "stop")
        #expect(late.status == 1 && late.errors == "rushes: take.mov has already ended.\n", "\(late)")
    }

    @Test func `a killed recorder's take is ended as failed, once`() async throws {
        let take = try await take()
        let follower = try BuiltCommand.rushes.start(["activities", "--follow", "--json"], environment: journal)
        var lines = follower.lines.makeAsyncIterator()
        #expect(try await lines.next().map(Event.init)?.event == "start")
        // The journal is written every 0.4 s at most, beside the take.
        for await line in take.lines where try Event(line).state.mediaTime ?? 0 > 3 {
            take.signal(SIGKILL)
            break
        }
        _ = try await take.result(within: .seconds(60))
        async let first = activities()
        async let second = activities()
        for events in try await [first, second, activities()] {
            #expect(events.map(\.event) == ["end"] && events.map(\.state.phase) == ["failed"])
            #expect(events.first?.state.message == "The process was killed or crashed.")
            // The last numbers that it told.
            #expect((events.first?.state.framesWritten ?? 0) > 20 && (events.first?.state.mediaTime ?? 0) > 1)
            #expect(events.first?.attributes?.title == "take.mov")
        }
        var ends = 0
        while let line = await lines.next() {
            let event = try Event(line)
            if event.event == "end" {
                ends += 1
                // Should there be a second end, it comes before what starts later.
                _ = try await Takes.record("next.mov", in: folder, ["--duration", "0.5"], environment: journal)
            }
            if event.attributes?.title == "next.mov" { break }
        }
        #expect(ends == 1)
        follower.signal(SIGTERM)
        _ = try await follower.result(within: .seconds(60))
        let history = try String(contentsOfFile: folder.file("state/rushes/activities/history.ndjson"), encoding: .utf8)
        #expect(history.split(separator: "\n").filter { $0.contains(#""phase":"failed""#) }.count == 1)
    }

    @Test func `a stopped recorder reads as stale, is named when it does not answer, and goes on`() async throws {
        let take = try await take()
        take.signal(SIGSTOP)
        var text = ""
        // It says itself how long it is to be believed: five seconds.
        while !text.contains("no update since") {
            try await Task.sleep(for: .milliseconds(200))
            text = try await run("activities").text
        }
        let event = try #require(try await activities().first)
        #expect(event.event != "end" && (event.staleDate ?? .infinity) <= Date().timeIntervalSince1970)
        let asked = try await run("control", String(event.id.prefix(8)), "stop")
        #expect(asked.status == 1)
        #expect(asked.errors.contains("does not respond; it may be stopped: kill -CONT \(take.pid)"), "\(asked)")
        take.signal(SIGCONT)
        // What it was asked meanwhile it does now.
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(try await activities().map(\.state.phase) == ["finished"])
    }

    @Test(arguments: ["/proc/nowhere", "full"]) func `a home that cannot be written does not disturb a take`(
        place: String
    ) async throws {
        let take =
            ["record"] + Takes.small + ["--codec", "h264", "--json", "--duration", "1.5", "take.mov"]
        let result: ToolResult
        if place == "full" {
            // A disk without a single free byte, seen by this command only.
            let script = """
                mkdir state && mount -t tmpfs -o size=16k none state && mkdir -p state/rushes/activities/live || exit 99
                cat /dev/zero > state/full 2>/dev/null
                XDG_STATE_HOME="$PWD/state" "$@"
                """
            let namespaces = geteuid() == 0 ? ["--mount"] : ["--map-root-user", "--mount"]
            result = try await Tool.run(
                "unshare", namespaces + ["sh", "-c", script, "sh", try BuiltCommand.rushes.path] + take,
                limit: .seconds(120), environment: ["XDG_RUNTIME_DIR": nil], folder: folder.path)
        } else {
            result = try await BuiltCommand.rushes.run(
                take, limit: .seconds(120), environment: ["XDG_STATE_HOME": place], folder: folder.path)
        }
        #expect(result.status == 0, "\(result)")
        Quiet.expect(result.errors)
        let events = try Event.all(result.text)
        #expect(events.last?.state.phase == "finished" && events.last?.state.fileIsGood == true)
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    @Test func `a disk that fills up during a take does not make its end a crash`() async throws {
        // The journal's disk is seen by this shell and its commands only. What was live is written over in place.
        let script = #"""
            mkdir state && mount -t tmpfs -o size=256k none state || exit 99
            XDG_STATE_HOME="$PWD/state"
            export XDG_STATE_HOME
            "$@" > events &
            until grep -q '"event":"update"' events; do sleep 0.05; done
            until ls state/rushes/activities/live/*.json > /dev/null 2>&1; do sleep 0.05; done
            cat /dev/zero > state/full 2> /dev/null
            kill -INT $!
            wait $! || exit 98
            "$1" activities --json
            rm state/full
            "$1" activities --json
            wc -l < state/rushes/activities/history.ndjson
            """#
        let namespaces = geteuid() == 0 ? ["--mount"] : ["--map-root-user", "--mount"]
        let take = ["record"] + Takes.small + ["--codec", "h264", "--json", "take.mov"]
        let result = try await Tool.run(
            "unshare", namespaces + ["sh", "-c", script, "sh", try BuiltCommand.rushes.path] + take,
            limit: .seconds(120), environment: ["XDG_RUNTIME_DIR": nil], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let lines = result.text.split(separator: "\n")
        try #require(lines.count == 3, "\(result)")
        for line in lines.prefix(2) {
            let event = try Event(String(line))
            #expect(event.event == "end" && event.state.phase == "finished" && event.state.reason == "stopped")
        }
        #expect(lines.last?.trimmingCharacters(in: .whitespaces) == "1")
    }

    @Test func `a service manager is told that a take is ready, gets on, and has ended`() async throws {
        let listener = try RunningCommand(
            "python3",
            [
                "-c",
                """
                import socket, sys
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                s.bind(sys.argv[1])
                print("ready", flush=True)
                while True: print(s.recv(4096).decode().replace("\\n", "|"), flush=True)
                """, folder.file("notify"),
            ])
        var lines = listener.lines.makeAsyncIterator()
        #expect(await lines.next() == "ready")
        try await Takes.record(
            "take.mov", in: folder, ["--duration", "1.5"], environment: ["NOTIFY_SOCKET": folder.file("notify")])
        #expect(await lines.next()?.hasPrefix("READY=1|STATUS=recording running, 0:00") == true)
        var beats = 0
        while let line = await lines.next() {
            beats += line.hasSuffix("|WATCHDOG=1") ? 1 : 0
            if line.hasPrefix("STATUS=recording finished, 0:01") { break }
        }
        #expect(beats > 1)
        listener.signal(SIGKILL)
    }

    @Test func `a follower whose reader goes away ends`() async throws {
        let take = try await take()
        let result = try await Tool.run(
            "bash",
            [
                "-c", #"set -o pipefail; "$1" activities --follow --json | head -n 1"#, "bash",
                try BuiltCommand.rushes.path,
            ],
            limit: .seconds(120), environment: journal)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        #expect(try Event.all(result.text).map(\.event) == ["start"])
        let words = try await Tool.run(
            "bash",
            [
                "-c", #"set -o pipefail; "$1" activities --follow | head -n 1"#, "bash", try BuiltCommand.rushes.path,
            ],
            limit: .seconds(120), environment: journal)
        #expect(words.status == 0 && words.text.contains("take.mov"), "\(words)")
        take.signal(SIGINT)
        _ = try await take.result(within: .seconds(60))
    }

    @Test func `on a terminal too the line of an end says of what`() async throws {
        let take = try await take()
        let follower = try RunningCommand(
            "script", ["-qefc", "'\(try BuiltCommand.rushes.path)' activities --follow", "/dev/null"],
            environment: journal.merging(["TERM": "xterm"]) { $1 })
        take.signal(SIGINT)
        _ = try await take.result(within: .seconds(60))
        var last = ""
        for await line in follower.lines where line.contains("recording finished") {
            last = line
            break
        }
        #expect(last.contains("take.mov: recording finished"), "\(last)")
        follower.signal(SIGTERM)
        _ = try await follower.result(within: .seconds(60))
    }

    @Test func `nothing is listed where nothing was done, and what is unknown is refused`() async throws {
        let empty = try await run("activities")
        #expect(empty.status == 0 && empty.text.isEmpty && empty.errors.isEmpty)
        let unknown = try await run("control", "nobody", "stop")
        #expect(unknown.status == 1)
        #expect(unknown.errors == "rushes: There is no activity 'nobody'; 'rushes activities' lists them.\n")
        let nameless = try await run("control", "", "stop")
        #expect(nameless.status == 64 && nameless.errors.contains("The id is empty"))
        let dance = try await run("control", "nobody", "dance")
        #expect(dance.status == 64)
        #expect(
            dance.errors
                == "rushes: <request> cannot be 'dance'; it is cancel, pause, resume, start, stop, split, pin, mark, layout, swap, show, switch, save, snapshot, mute, unmute or set.\n",
            "\(dance)")
    }
}
