public import Errors
import FileSystem
import Foundation
import MediaTypes
public import SystemPackage

extension MovieEditing {
    /// Writes metadata and chapters into a finished movie.
    ///
    /// Samples stay where they are. Of QuickTime and MP4 the index is written anew, behind the data or into the space that the old one
    /// leaves; of Matroska and WebM what stands in front of the clusters, where there is room. Where there is none, the file is written
    /// anew, with room for later, and takes the place of the old one once it is complete. So are MP3, FLAC, WAV, and Opus and Vorbis in
    /// Ogg, whose other tags and chunks stay as they are.
    ///
    /// - Parameters:
    ///   - metadata: What has a value here replaces what the movie says; the rest stays.
    ///   - chapters: In the order of their beginnings; nil leaves those there are, an empty list removes them.
    /// - Throws: ``RushesError``: `badInput` for what is no movie, is damaged, still in fragments or not whole, and for a chapter
    ///   behind its end; `diskFull`, `writeFailed`.
    public static func setMetadata(
        _ metadata: MovieMetadata, chapters: [MovieInfo.Chapter]? = nil, ofMovieAt path: FilePath
    ) throws(RushesError) {
        try apply(MovieChange(metadata: metadata, chapters: chapters), toMovieAt: path)
    }

    /// The same, also of what tracks say about themselves.
    ///
    /// - Parameter progress: Told now and then which part of a file is written anew, from 0 to 1.
    /// - Throws: Likewise, also for a track that there is not.
    package static func apply(
        _ change: MovieChange, toMovieAt path: FilePath, progress: (Double) -> Void = { _ in }
    ) throws(RushesError) {
        try naming(path) { () throws(MovieFileError) in
            try ReadableFile.open(path, .readWrite, lock: .exclusive) { (file) throws(MovieFileError) in
                if let audio = try AudioFileChange(change, of: file) {
                    return try replace(path, file) { (new) throws(MovieFileError) in
                        try audio.write(of: file, to: new, progress: progress)
                    }
                }
                let target = DescriptorFile(descriptor: file.descriptor)
                guard try !MatroskaSegment.isMatroska(file) else {
                    return try applyToMatroska(change, path, file, writingTo: target, progress)
                }
                try apply(change, file, writingTo: target)
            }
        }
    }

    /// Changes a Matroska or WebM file: in place where there is room, else as a new file under its name.
    ///
    /// - Throws: `unsupported` where the file is not as muxers complete it; what takes the file's place throws `noSpace` and `system`.
    static func applyToMatroska(
        _ change: MovieChange, _ path: FilePath, _ file: ReadableFile, writingTo target: some RandomAccessFile,
        _ progress: (Double) -> Void = { _ in }
    ) throws(MovieFileError) {
        var original = try FinishedMatroska(file, mayBeWebM: true)
        let elements = try MatroskaChange(change, of: original).elements
        if let replacement = try MatroskaReplacement(elements, of: original, in: target) {
            return try replacement.write()
        }
        guard original.endsWithFile else {
            throw .unsupported(
                reason: "it does not end where it says that it does; a copy of it as Matroska can be changed"
            )
        }
        original.replace(elements)
        let insertion = try MatroskaInsertion(into: original, leaving: roomForLater)
        try replace(path, file) { (new) throws(MovieFileError) in try insertion.write(to: new, progress: progress) }
    }

    /// Writes a file anew, which takes the place of the old one once it is complete, for whom that was for.
    private static func replace(
        _ path: FilePath, _ file: ReadableFile, _ body: (FileDescriptor) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        let mode = try file.mode
        try NewFile.write(path.followed, replacing: true) { (new) throws(MovieFileError) in
            try body(new)
            guard fchmod(new.rawValue, mode) == 0 else {
                throw MovieFileError(Errno(rawValue: errno), operation: "creating \(path.wireText)")
            }
        }
    }

    /// In bytes, as mkvmerge leaves them.
    private static let roomForLater = 1024
}

extension FilePath {
    /// That of the file itself, where links lead to it.
    fileprivate var followed: FilePath {
        guard let found = withPlatformString({ realpath($0, nil) }) else { return self }
        defer { free(found) }
        return FilePath(platformString: found)
    }
}

extension ReadableFile {
    /// Who may do what with it.
    fileprivate var mode: mode_t {
        get throws(MovieFileError) {
            var status = stat()
            guard fstat(descriptor.rawValue, &status) == 0 else {
                throw MovieFileError(Errno(rawValue: errno), operation: "reading the movie")
            }
            return status.st_mode & 0o7777
        }
    }
}
