import Encoding
import GStreamer
import Foundation
import SystemPackage
import TestSupport
import Threads

@testable import Export

/// A folder of inputs, one of outputs, and exports that write what they read twice.
final class BatchFixture: Sendable {
    let folder: TemporaryFolder
    /// How often each input was exported.
    let runs = Locked<[String: Int]>([:])
    let summaries = Locked<[BatchEvent]>([])

    init(_ names: [String] = ["a.mov", "b.mov", "c.mov"]) throws {
        folder = try TemporaryFolder()
        for name in ["in", "out"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        }
        for name in names { try write(name) }
    }

    func write(_ name: String, _ text: String? = nil) throws {
        let place = FilePath(folder.file("in/\(name)")).removingLastComponent()
        try FileManager.default.createDirectory(atPath: place.string, withIntermediateDirectories: true)
        try Data((text ?? name).utf8).write(to: URL(filePath: folder.file("in/\(name)")))
    }

    var outputs: FilePath { FilePath(folder.file("out")) }
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: outputs.string)) ?? []).filter { $0 != BatchFolder.name }
            .sorted()
    }
    func text(_ output: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: folder.file("out/\(output)"))), as: UTF8.self)
    }
    /// What exports have left; nothing after every batch.
    var leftovers: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.file("out/\(BatchFolder.name)/work"))) ?? []
    }

    func plan(
        _ inputs: [String]? = nil, settings: ExportSettings = ExportSettings(), overwrite: Bool = false,
        recursive: Bool = false
    ) throws -> BatchPlan {
        try BatchPlan(
            inputs: inputs?.map { FilePath(folder.file("in/\($0)")) } ?? [FilePath(folder.file("in"))],
            outputs: outputs,
            ending: "mp4", settings: settings, replacesExisting: overwrite, includesSubfolders: recursive)
    }

    /// - Parameter before: runs when the output is half written; what it throws fails the export.
    func exporter(before: @escaping @Sendable (BatchWork) async throws -> Void = { _ in }) -> BatchExporter {
        { [runs] work in
            BatchExport(run: { report in
                let name = work.input.lastComponent?.string ?? ""
                runs.withLock { $0[name, default: 0] += 1 }
                let data = try Data(contentsOf: URL(filePath: work.input.string))
                let file = work.destination.path.string
                try data.write(to: URL(filePath: file))
                var progress = ExportProgress()
                progress.fraction = 0.5
                progress.bytesWritten = Int64(data.count)
                await report(progress)
                try await before(work)
                try (data + data).write(to: URL(filePath: file))
                return ExportResult(
                    path: work.destination.path, size: Int64(data.count * 2), duration: .second, frames: 1)
            })
        }
    }

    func run(
        _ plan: BatchPlan, jobs: Int = 2, before: @escaping @Sendable (BatchWork) async throws -> Void = { _ in }
    ) async throws -> BatchSummary {
        try await Batch(plan, jobs: jobs, exporter: exporter(before: before)).run()
    }
}
