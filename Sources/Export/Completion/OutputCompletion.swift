import Encoding
import FileSystem
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Makes a file that a strategy has written complete: data tracks, subtitles, the index in front, the check, and last its name.
struct OutputCompletion: Sendable {
    let context: ExportContext
    let target: ExportTarget
    var addedAudio: [AddedAudioInput] = []
    /// Of several files, which of them this is.
    var part: SeparateParts.Part?

    var container: Container { target.container }
    var output: TemporaryOutput { context.output }

    /// - Throws: ``RushesError`` for a file that is not good, and where the disk takes no second file; `MovieFileError`.
    func complete(_ movie: WrittenMovie) async throws -> ExportResult {
        let (output, status) = (output, context.status)
        let written = try await withSubtitles(try await withData(try await withAddedAudio(movie)))
        if let part, written.expected.areBytesCopied { try await tell(part) }
        if context.settings.fastStart, container.isMovieFile {
            try await onOwnThread("rushes-front") {
                try output.replace { try MovieEditing.moveIndexToFront(of: $0, writingTo: $1) }
            }
        }
        // From here on nothing is written to it any more.
        status.report(.verifying)
        try await OutputCheck(
            path: try output.file().path, expected: written.expected, level: context.settings.verification,
            status: status
        ).run()
        try Task.checkCancellation()
        let size = try output.size()
        let file = context.input.original
        let files = context.input.readFiles + addedAudio.flatMap(\.movie.readFiles)
        try await onOwnThread("rushes-commit") {
            for note in files.compactMap(\.changeNote) { context.log.note(note) }
            if let file { FileTimes.copy(from: file, to: try output.file().path) }
            try output.commit()
        }
        status.report(.completed(size: size))
        var result = ExportResult(
            path: context.destination.path, size: size, duration: written.expected.duration,
            frames: written.shownFrames ?? written.expected.frames ?? 0, notes: context.log.notes + written.notes)
        result.copiesFrames = written.copiesFrames
        result.remarks = context.log.notes + written.notes.dropFirst()
        return result
    }

    /// A copy by the index has the title of the whole movie, and its chapters to the nanosecond, where the file begins with a frame.
    private func tell(_ part: SeparateParts.Part) async throws {
        guard container.isMovieFile, let title = part.title else { return }
        let chapters = part.chapters.map {
            MovieInfo.Chapter(start: max(.zero, $0.start - part.range.start), title: $0.title)
        }
        try await onOwnThread("rushes-title") { [output] in
            try output.file().withDescriptor {
                try MovieEditing.setMetadata(MovieMetadata(title: title), chapters: chapters, of: $0)
            }
        }
    }
}

enum FileTimes {
    /// Gives a file the times of another: those who sort by them want the day of the recording.
    static func copy(from file: InputFile, to path: FilePath) {
        let times = [file.accessed, file.modified]
        _ = path.withPlatformString { utimensat(AT_FDCWD, $0, times, 0) }
    }
}
