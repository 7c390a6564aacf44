import Encoding
import Errors
import Export
import FileSystem
import Foundation
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// What is joined, with copies of what is of a kind that is not joined itself, as a camera's transport streams: frames and audio as they
/// are, in files that no folder names, so that nothing is left of them however this process ends.
struct JoinCopies: Sendable {
    /// In the order of the inputs.
    private(set) var files: [JoinedFile] = []
    /// What the copies lack, in full sentences.
    private(set) var notes: [String] = []
    /// Keep the copies.
    private var handles: [FileHandle] = []

    /// Copies what has to be, which takes as long as reading it does; shows how far each copy is.
    ///
    /// - Parameter destination: what is joined; the copies lie on its disk, and are of its kind.
    /// - Throws: ``RushesError`` about the input that is no movie, or cannot be copied.
    init(of inputs: [FilePath], for destination: MovieDestination, style: ProgressStyle) async throws {
        let target = destination.path
        let others = try await onOwnThread("rushes-index") { Set(inputs.filter(Self.isOfAnotherKind)) }
        guard !others.isEmpty else {
            files = inputs.map { JoinedFile($0) }
            return
        }
        let space = others.reduce(Int64(0)) { $0 + $1.fileSize }
        try destination.check(needing: space + inputs.reduce(Int64(0)) { $0 + $1.fileSize })
        for input in inputs {
            guard others.contains(input) else {
                files.append(JoinedFile(input))
                continue
            }
            let place = target.removingLastComponent().appending(".\(UUID().uuidString).\(target.extension ?? "mov")")
            let result = try await Self.copy(input, to: place, style: style)
            notes += result.remarks.map { "\(input.wireText): \($0)" }
            defer { place.removeFile() }
            let copy = try FileDescriptor.open(place, .readOnly, options: .closeOnExec)
            handles.append(FileHandle(fileDescriptor: copy.rawValue, closeOnDealloc: true))
            files.append(JoinedFile(input, content: FilePath("/proc/self/fd/\(copy.rawValue)")))
        }
    }

    /// Whether a file is neither a movie nor Matroska. One that cannot be read is told where it is joined.
    private static func isOfAnotherKind(_ path: FilePath) -> Bool {
        do throws(MovieFileError) { _ = try MovieOriginal(path) } catch {
            if case .notAMovie = error { return true }
        }
        return false
    }

    private static func copy(
        _ input: FilePath, to place: FilePath, style: ProgressStyle
    ) async throws -> ExportResult {
        let display = CopyDisplay(input.wireText, style: style)
        let session = ExportSession(input: input, settings: ExportSettings(preset: "copy"), isActivity: false)
        let signals = await StopSignals.watch { StopSignals.leave() }
        let watch = Task {
            for await case .exporting(let progress) in session.states(updateInterval: .milliseconds(200)) {
                display.show(progress.fraction ?? 0)
            }
        }
        defer {
            watch.cancel()
            signals.cancel()
        }
        do {
            let result = try await session.export(to: MovieDestination(place))
            display.end(.finished)
            return result
        } catch {
            display.end(.failed)
            guard var error = error as? RushesError else { throw error }
            if !error.description.contains(input.wireText) {
                error.description = "\(input.wireText): \(error.description)"
            }
            throw error
        }
    }
}

extension FilePath {
    /// In bytes; 0 where there is no such file.
    var fileSize: Int64 { FileStatus(self)?.size ?? 0 }
}
