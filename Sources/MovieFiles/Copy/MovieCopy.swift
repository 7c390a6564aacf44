public import Errors
package import MediaTypes
public import SystemPackage

/// A movie in another file, its samples untouched: QuickTime as MP4 and back, Matroska and WebM as either, in fragments as an
/// ordinary one, with its index first, or a part of it (AVFoundation's "passthrough").
///
/// Made from the index alone, before a byte is written, so that what cannot be is refused at once and everything about
/// the copy is known. Then `write(to:progress:)` moves the samples, in runs as large as they are, shared with the original
/// where the file system can do that.
public struct MovieCopy: Sendable {
    /// What kind of file it is.
    package let fileType: MovieFileType
    /// Of the file, in bytes.
    package let fileSize: UInt64
    /// Of the longest track as played.
    package let duration: MediaTime
    /// Frames of its first video track; nil where it has none.
    package let frameCount: Int?
    /// How many of them its edits show, each as often as it is shown.
    package let shownFrameCount: Int?
    /// How many video tracks it has.
    package let videoTrackCount: Int
    /// How many audio tracks it has.
    package let audioTrackCount: Int
    /// Tracks of the original that it leaves out, because its kind of file cannot hold them or they have nothing in the
    /// chosen part.
    package let omittedTracks: [OmittedTrack]
    /// Chapters of the original that it leaves out, because they begin behind the movie's end. One that goes on behind it ends
    /// with it.
    package let omittedChapters: [MovieInfo.Chapter]
    /// What of subtitles and of the frames' description has no place in its kind of file, each in a full sentence.
    package let omissions: [String]
    /// Where the copied frames really begin in the original's presentation: at the sync sample that the
    /// first one shown needs. Players do not show what comes before the chosen part, but it is in the file.
    package let firstFrameTime: MediaTime
    /// Of a part that begins behind its sync sample: the frames to encode, so that none from before the part is in the file.
    /// nil where there is none, or where that cannot be done.
    package let beginning: Beginning?
    /// Whether a part begins behind its sync sample and has no other: then no GOP is copied whole.
    package let isWithinOneGOP: Bool
    /// Whether the original holds all samples that it lists; those that it does not are left out.
    package let isOriginalWhole: Bool

    /// What of the original it lacks, each in a sentence: tracks, chapters and samples. Empty: nothing.
    public var notes: [String] {
        let samples = isOriginalWhole ? [] : ["The file is cut off: what its index lists beyond its end is left out."]
        return omittedTracks.map(\.reason) + omissions + omittedChapterNotes + samples
    }

    /// The same of its chapters alone.
    package var omittedChapterNotes: [String] { omittedChapters.map(\.omission) }

    let source: FileDescriptor
    private let files: SourceFiles
    /// Keeps the source open; nil where that is the caller's.
    private let original: MovieOriginal?
    let layout: CopyLayout
    private let encoded: EncodedBeginning?

    /// Reads the original's index and plans the copy.
    ///
    /// - Parameters:
    ///   - source: The original, open for reading. It stays yours to close, after `write(to:progress:)`.
    ///   - encoded: The frames that `beginning` of a copy with the same options asks for.
    /// - Throws: `notAMovie`, `invalidBox`; `encrypted`; `noSamples`; `unsupported` where neither video nor audio can be
    ///   in such a file, where nothing lies in the chosen part, or the samples are in another file, and where something of a
    ///   Matroska file cannot be copied as it is; `system`.
    package init(
        of source: FileDescriptor, options: Options = Options(), beginningWith encoded: EncodedBeginning? = nil
    ) throws(MovieFileError) {
        let file = try ReadableFile(source)
        try self.init(CopySource(file), file, nil, options, encoded)
    }

    /// Plans the copy of a movie whose index has been read.
    ///
    /// - Parameter encoded: The frames that `beginning` of a copy with the same options asks for.
    /// - Throws: `encrypted`; `noSamples`; `unsupported`: see `init(of:options:beginningWith:)` of a descriptor.
    package init(
        of original: MovieOriginal, options: Options = Options(), beginningWith encoded: EncodedBeginning? = nil
    ) throws(MovieFileError) {
        try self.init(original.source, original.file, original, options, encoded)
    }

    /// Plans the copy of several movies behind each other.
    ///
    /// - Throws: as of one.
    package init(of joined: JoinedOriginal, options: Options = Options()) throws(MovieFileError) {
        try self.init(joined.source, joined.first.file, joined.first, options, nil, joined.files)
    }

    private init(
        _ read: CopySource, _ file: ReadableFile, _ original: MovieOriginal?, _ options: Options,
        _ encoded: EncodedBeginning?, _ files: SourceFiles? = nil
    ) throws(MovieFileError) {
        let plan = try CopyPlan(read, file, options, encoded)
        layout = try CopyLayout(plan, putsIndexFirst: options.putsIndexFirst)
        source = file.descriptor
        self.files = files ?? SourceFiles(file.descriptor)
        self.original = original
        fileType = plan.fileType
        fileSize = layout.fileSize
        duration = MediaTime(seconds: plan.duration)
        // Images of chapters are no video.
        let chapters = try Box("moov", children: plan.tracks.map(\.trak)).chapterTrackIDs()
        let video = plan.tracks.filter { $0.handler == "vide" && !chapters.contains($0.trackID) }
        frameCount = video.first?.samples.count
        shownFrameCount = try video.first?.shownCount(movieTimescale: plan.timescale)
        videoTrackCount = video.count
        audioTrackCount = plan.tracks.count { $0.handler == "soun" }
        (omittedTracks, omissions) = (plan.omitted, plan.omissions)
        omittedChapters = plan.lateChapters
        firstFrameTime = MediaTime(seconds: plan.firstFrameTime)
        isOriginalWhole = read.isWhole
        beginning = plan.boundary
        isWithinOneGOP = plan.isWithinOneGOP
        self.encoded = encoded
    }

    /// Writes the copy.
    ///
    /// - Parameters:
    ///   - target: An empty file, open for writing and not for appending. It is not synchronised: whoever gives it its name
    ///     does that.
    ///   - progress: Told now and then how many bytes are written, of `fileSize`. False ends the copy.
    /// - Throws: `cancelled` where `progress` said so, `noSpace`, `system`.
    package func write(
        to target: FileDescriptor, progress: (UInt64) -> Bool = { _ in true }
    ) throws(MovieFileError) {
        let file = DescriptorFile(descriptor: target)
        try file.write(layout.head, at: 0)
        var copier = RunCopier(
            source: files, beginning: encoded?.storage, target: target, position: layout.dataOffset)
        try copier.copy(layout.runs, progress: progress)
        try file.write(layout.tail, at: copier.position)
        guard progress(fileSize) else { throw .cancelled }
    }

    /// Writes the copy into a file that appears under its name once it is complete.
    ///
    /// - Parameters:
    ///   - output: Whose ending does not matter.
    ///   - replacing: Whether a file of that name may be replaced.
    ///   - progress: See `write(to:progress:)`.
    /// - Throws: As `write(to:progress:)`, and `system` with `fileExists`.
    package func write(
        to output: FilePath, replacing: Bool = false, progress: (UInt64) -> Bool = { _ in true }
    ) throws(MovieFileError) {
        try NewFile.write(output, replacing: replacing) { (new) throws(MovieFileError) in
            try write(to: new, progress: progress)
        }
    }

    /// Copies a movie into a file that appears under its name once it is complete. Blocks.
    ///
    /// - Parameters:
    ///   - input: Refused where another program has it open for writing.
    ///   - output: Whose ending does not matter: the kind of file is that of the options, or the original's.
    ///   - replacing: Whether a file of that name may be replaced.
    ///   - progress: Told now and then how many bytes are written. False ends the copy.
    /// - Returns: What was copied, with what was left out in ``notes``.
    /// - Throws: ``RushesError``: `badInput` for what is no movie, damaged, encrypted or empty, or where neither video nor audio
    ///   can be in such a file, or nothing lies in the chosen part; `cancelled` where `progress` said so; `diskFull`;
    ///   `fileExists` where a file of that name may not be replaced; `writeFailed`.
    @discardableResult
    public static func copy(
        _ input: FilePath, to output: FilePath, options: Options = Options(), replacing: Bool = false,
        progress: (UInt64) -> Bool = { _ in true }
    ) throws(RushesError) -> MovieCopy {
        try naming(input) { () throws(MovieFileError) in
            let copy = try MovieCopy(of: try MovieOriginal(input), options: options)
            try copy.write(to: output, replacing: replacing, progress: progress)
            return copy
        }
    }
}
