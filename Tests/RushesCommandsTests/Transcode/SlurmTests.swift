import Foundation
import TestSupport
import Testing

/// A batch on a real cluster of two nodes, of which one dies.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg"), .requiresSlurm)
struct SlurmTests {
    private struct Handed: Decodable {
        var job: String
        var files: Int
    }

    private func tell(_ cluster: Servers, _ program: String, _ arguments: [String]) async throws -> String {
        let result = try await Tool.succeed(program, arguments, environment: cluster.environment)
        return result.text
    }

    @Test func `a node dies in the middle, and each file is done once`() async throws {
        let names = (1...6).map { "clip \($0)'s.mp4" }
        // Long enough that the node is dead before it is done with what it claimed.
        let clips = try await Clips(names, duration: 30)
        let cluster = try await Servers.start(.slurm)
        let rushes = try BuiltCommand.rushes
        func run(_ arguments: [String]) async throws -> ToolResult {
            try await rushes.run(arguments, servers: cluster, folder: clips.folder.path)
        }
        let plan = try await run(["batch", "plan", "in", "--output-directory", "out"] + Clips.settings)
        try #require(plan.status == 0, "\(plan)")
        // The shell's own characters are a job's name and nothing else.
        let job = try await run(["batch", "submit", "out", "--json", "--slurm", "--job-name", "a $(touch pwned) `b`;"])
        try #require(job.status == 0, "\(job)")

        let handed = try JSONDecoder().decode(Handed.self, from: job.output)
        #expect(handed.files == 6)
        let twice = try await run(["batch", "submit", "out", "--slurm"])
        #expect(twice.status == 1 && twice.errors.contains("as job \(handed.job)"), "\(twice)")

        let follower = try rushes.start(
            ["batch", "follow", "out", "--json", "--progress", "none"], servers: cluster, folder: clips.folder.path)
        // When the second node has claimed a file, it dies with all of its processes.
        while try !clips.claims().contains(where: { $0.worker.node == "n2" }) {
            try await Task.sleep(for: .milliseconds(20))
        }
        cluster.powerOff(2)
        // Slurm would find out by itself, later.
        _ = try await tell(cluster, "scontrol", ["update", "NodeName=n2", "State=DOWN", "Reason=power"])
        var tasks = ""
        repeat {
            try await Task.sleep(for: .milliseconds(50))
            tasks = try await tell(cluster, "squeue", ["-h", "--array", "--format=%i %T %r", "--jobs=\(handed.job)"])
        } while !tasks.contains("BeginTime")
        let resumed = try await run(["batch", "submit", "out", "--slurm", "--resume"])
        #expect(resumed.status == 0 && resumed.errors.contains("Slurm has them already"), "\(resumed)")
        // It lets a task whose node has died wait for two minutes.
        for task in tasks.split(separator: "\n") where task.hasSuffix("BeginTime") {
            let id = task.split(separator: " ")[0]
            _ = try await tell(cluster, "scontrol", ["update", "JobId=\(id)", "StartTime=now"])
        }

        let followed = try await follower.result(within: .seconds(600))
        #expect(followed.status == 0, "\(followed)")
        #expect(clips.outputs == names && clips.leftovers == [])
        #expect(try clips.claims().isEmpty)
        let records = try clips.records()
        #expect(records.count == 6 && records.allSatisfy { $0.state == "done" && $0.completions == 1 }, "\(records)")
        let again = records.filter { $0.starts == 2 }
        #expect(again.count == 1 && again.first?.attempts?.map(\.node) == ["n2", "n1"], "\(records)")
        #expect(records.allSatisfy { $0.attempts?.last?.task?.hasPrefix("\(handed.job)_") == true })
        for name in clips.outputs { _ = try await clips.decoded(name) }

        let events = try Event.all(followed.text)
        #expect(events.count { $0.event == "start" } == 1 && events.count { $0.event == "end" } == 1)
        #expect(events.allSatisfy { $0.kind == "batch" })
        let end = try #require(events.last?.state)
        #expect(end.phase == "finished" && end.completedItems == 6 && end.totalItems == 6)
        #expect(followed.errors.contains("6 done, 1 begun more than once."), "\(followed.errors)")
        let done = try await run(["batch", "submit", "out", "--slurm", "--resume"])
        #expect(done.status == 0 && done.errors.contains("6 of 6 are done"), "\(done)")
        try await cluster.stop()
    }

    @Test(arguments: [
        (["out"], "--slurm"), (["out", "--slurm", "--array=1"], "--array=1 is what"),
        (["out", "--slurm", "--partition", "x", "--wrap=ls"], "--wrap=ls is what"),
        (["out", "--jobs", "0", "--slurm"], "--jobs"), (["out", "--on-nodes", "there", "--slurm"], "--on-nodes"),
    ]) func `what sbatch must not be told is refused`(arguments: [String], phrase: String) async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(["batch", "submit"] + arguments, folder: folder.path)
        #expect(result.status == 64 && result.errors.contains(phrase), "\(result)")
    }
}

/// What is handed to Slurm, with programs in place of its own that say what they were given.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct SlurmHandoverTests {
    @Test func `sbatch's options go to it as they are, and nothing is handed over twice`() async throws {
        let clips = try await Clips(["a.mp4"])
        for (name, script) in [
            ("sbatch", #"echo "$@" >> "$(dirname "$0")/told"; echo 7"#), ("squeue", "exit 1"), ("scontrol", "exit 1"),
        ] {
            let path = clips.folder.file(name)
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
            chmod(path, 0o755)
        }
        let path = ["PATH": "\(clips.folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"]
        func run(_ arguments: [String]) async throws -> ToolResult {
            try await BuiltCommand.rushes.run(
                ["batch"] + arguments, environment: path.mapValues { $0 }, folder: clips.folder.path)
        }
        let plan = try await run(["plan", "in", "--output-directory", "out"] + Clips.settings)
        #expect(plan.status == 0, "\(plan)")
        let first = try await run(["submit", "out", "--slurm", "-N2", "-pmain"])
        #expect(first.status == 0 && first.text == "7\n", "\(first)")
        let told = try String(contentsOfFile: clips.folder.file("told"), encoding: .utf8)
        #expect(told.contains(" -N2 -pmain ") && told.split(separator: "\n").count == 1, "\(told)")
        let again = try await run(["submit", "out", "--resume", "--slurm"])
        #expect(again.status == 1 && again.errors.contains("which files of job 7"), "\(again)")
        #expect(try String(contentsOfFile: clips.folder.file("told"), encoding: .utf8) == told)
        // One that runs is Slurm's, and one whose node died: it shows as ending before it is queued again. One that failed or was cancelled, and
        // has yet to end, is handed over again.
        for (state, isOver, count) in [("RUNNING", false, 1), ("COMPLETING", false, 1), ("COMPLETING", true, 2)] {
            if isOver {
                try Data("no movie".utf8).write(to: URL(filePath: clips.folder.file("in/a.mp4")))
                let task = try await run(["run-one", "out", "0"])
                #expect(task.status == 1, "\(task)")
            }
            try Data("#!/bin/sh\necho 7_0 \(state)\n".utf8).write(to: URL(filePath: clips.folder.file("squeue")))
            let resumed = try await run(["submit", "out", "--resume", "--slurm"])
            #expect(resumed.status == 0, "\(resumed)")
            let told = try String(contentsOfFile: clips.folder.file("told"), encoding: .utf8)
            #expect(told.split(separator: "\n").count == count, "\(state): \(resumed)")
        }
    }
}

extension Clips {
    /// Who works on a file now.
    struct Claim: Decodable {
        struct Worker: Decodable { var node: String }
        var worker: Worker
    }

    /// Those that can be read just now.
    func claims() throws -> [Claim] {
        let items = URL(filePath: folder.file("out/.rushes-batch/items"))
        return try FileManager.default.contentsOfDirectory(at: items, includingPropertiesForKeys: nil)
            .filter { Int($0.pathExtension) != nil }
            .compactMap { try? JSONDecoder().decode(Claim.self, from: Data(contentsOf: $0)) }
    }
}
