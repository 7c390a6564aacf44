public import Errors
import FileSystem
public import MediaTypes
public import SystemPackage

/// Changes what a movie says about itself, never its samples.
///
/// Every change in place is such that the file plays after each single write. Changes to a new file share the data
/// with the old one where the file system can do that, and the new file appears under its name once it is complete.
public enum MovieEditing {
    /// Sets how players show a movie's frames, whatever it was before: one write of the matrix; of Matroska and WebM as
    /// ``setMetadata(_:chapters:ofMovieAt:)`` changes them.
    ///
    /// - Parameters:
    ///   - output: The copy that gets it, and the movie stays as it is; left out, the movie itself gets it.
    ///   - replacing: Whether there may be a file of the copy's name.
    ///   - fileType: What kind of file the copy is; left out, as the movie.
    ///   - progress: Told now and then which part of the movie is copied, from 0 to 1; never where its data can be shared.
    /// - Throws: ``RushesError``: `badInput` for what is no movie, is damaged or has no frame, and for mirrored Matroska; `writeFailed`; of a copy
    ///   `fileExists`, `diskFull`.
    public static func setOrientation(
        _ orientation: MovieOrientation, ofMovieAt path: FilePath, writingTo output: FilePath? = nil,
        replacing: Bool = false, fileType: MovieFileType? = nil, progress: (Double) -> Void = { _ in }
    ) throws(RushesError) {
        try naming(path) { () throws(MovieFileError) in
            guard let output else {
                return try ReadableFile.open(path, .readWrite, lock: .exclusive) { (file) throws(MovieFileError) in
                    if try MatroskaSegment.isMatroska(file) {
                        return try turnMatroska(orientation, path, file, writingTo: nil, replacing, progress)
                    }
                    let patch = try OrientationPatch(orientation, file)
                    try patch.write(to: DescriptorFile(descriptor: file.descriptor))
                }
            }
            try ReadableFile.open(path, lock: .shared) { (file) throws(MovieFileError) in
                if try MatroskaSegment.isMatroska(file) {
                    return try turnMatroska(orientation, path, file, writingTo: output, replacing, progress)
                }
                let patch = try OrientationPatch(orientation, file)
                if let fileType, try MovieContents(file).isQuickTime != (fileType == .mov) {
                    return try convert(file, to: fileType, orientation, writingTo: output, replacing, progress)
                }
                try NewFile.write(output, replacing: replacing) { (new) throws(MovieFileError) in
                    try FileCopy.copy(0..<file.size, of: file.descriptor, to: 0, of: new) {
                        progress(Double($0) / Double(max(1, file.size)))
                    }
                    try patch.write(to: DescriptorFile(descriptor: new))
                }
            }
        }
    }

    /// - Throws: `unsupported` where something of the movie has no place in that kind of file, which a turn may not cost.
    private static func convert(
        _ file: ReadableFile, to fileType: MovieFileType, _ orientation: MovieOrientation,
        writingTo output: FilePath, _ replacing: Bool, _ progress: (Double) -> Void
    ) throws(MovieFileError) {
        let copy = try MovieCopy(of: file.descriptor, options: .init(fileType: fileType))
        if let lost = copy.omittedTracks.first {
            let reason = lost.reason.hasSuffix(".") ? String(lost.reason.dropLast()) : lost.reason
            throw .unsupported(reason: "\(fileType.displayName) cannot hold all of it (\(reason)); keep its ending")
        }
        try NewFile.write(output, replacing: replacing) { (new) throws(MovieFileError) in
            try copy.write(to: new) { written in
                progress(Double(written) / Double(max(1, copy.fileSize)))
                return true
            }
            try OrientationPatch(orientation, try ReadableFile(new)).write(to: DescriptorFile(descriptor: new))
        }
    }

    /// Writes metadata and chapters into a finished QuickTime or MP4 movie that nobody else has, and that has no name yet.
    ///
    /// - Throws: as a `MovieFileError`.
    package static func setMetadata(
        _ metadata: MovieMetadata, chapters: [MovieInfo.Chapter]?, of file: FileDescriptor
    ) throws(MovieFileError) {
        try setMetadata(
            metadata, chapters: chapters, try ReadableFile(file), writingTo: DescriptorFile(descriptor: file))
    }

    static func setMetadata(
        _ metadata: MovieMetadata, chapters: [MovieInfo.Chapter]?, _ file: ReadableFile,
        writingTo target: some RandomAccessFile
    ) throws(MovieFileError) {
        try apply(MovieChange(metadata: metadata, chapters: chapters), file, writingTo: target)
    }

    static func apply(
        _ change: MovieChange, _ file: ReadableFile, writingTo target: some RandomAccessFile
    ) throws(MovieFileError) {
        let layout = try MovieLayout(file)
        var moov = try TopLevelBoxes.load(layout.moov, from: file)
        try moov.write(change.metadata, isQuickTime: layout.isQuickTime)
        try moov.apply(change.tracks, in: layout.isQuickTime ? "QuickTime" : "MP4")
        var samples: [UInt8] = []
        if let chapters = change.chapters {
            let header = try TimeHeader(try moov.required("mvhd"))
            let end = MediaTime(ticks: header.duration, timescale: header.timescale)
            if end > .zero { try refuseLate(chapters, end: end) }
            let track = try moov.setChapters(chapters, dataOffset: file.size)
            samples = track?.data ?? []
        }
        let replacement = IndexReplacement(file: target, layout: layout, size: file.size)
        try replacement.replace(with: try moov.serialized(), samples: samples)
    }

    /// - Throws: `unsupported` where one begins when the movie has ended.
    static func refuseLate(_ chapters: [MovieInfo.Chapter], end: MediaTime) throws(MovieFileError) {
        guard let late = chapters.first(where: { $0.start >= end }) else { return }
        throw .unsupported(
            reason: "it lasts \(end.seconds.hundredths) s and ends before the chapter “\(late.title)” begins; "
                + "choose an earlier time")
    }
}

extension Double {
    /// Rounded down, "2" or "2.04".
    fileprivate var hundredths: String {
        let rounded = (self * 100).rounded(.down) / 100
        return rounded == rounded.rounded() && rounded < 1e15 ? String(Int(rounded)) : String(rounded)
    }
}
