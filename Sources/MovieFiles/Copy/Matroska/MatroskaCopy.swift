package import FileSystem
import Foundation
package import MediaTypes
package import SystemPackage

/// A QuickTime or MP4 movie, or a Matroska or WebM file, as a Matroska or WebM file, its samples untouched.
///
/// Made from the index alone, before a byte is written, so that what cannot be is refused at once and everything about the
/// copy is known: the cues stand before the clusters, where players that read over a network want them.
package struct MatroskaCopy: Sendable {
    /// What the copy is to be.
    package struct Options: Sendable, Hashable {
        package var isWebM: Bool
        package var application: String
        package var tracks: TrackPlaces

        /// - Parameters:
        ///   - isWebM: whether it is WebM, for browsers: VP8, VP9 and AV1, and Opus.
        ///   - application: what the file names as its writer.
        ///   - tracks: which of the original's are taken.
        package init(isWebM: Bool = false, application: String = "Rushes", tracks: TrackPlaces = TrackPlaces()) {
            (self.isWebM, self.application, self.tracks) = (isWebM, application, tracks)
        }
    }

    /// Of the file, in bytes.
    package let fileSize: UInt64
    /// Of the longest track, in seconds.
    package let duration: MediaTime
    /// By how much everything is shown later than in the original, as nothing can be before the file's beginning.
    package let delay: MediaTime
    /// How many frames are in its first video track; nil where it has none.
    package let frameCount: Int?
    /// How many audio tracks.
    package let audioTrackCount: Int
    /// Tracks of the original that it leaves out, because Matroska cannot hold them.
    package let omittedTracks: [OmittedTrack]
    /// What of a Matroska file's attachments and tags and of the frames' description it leaves out, each in a full sentence.
    package let omissions: [String]
    /// Whether the original holds all samples that it lists; those that it does not are left out.
    package let isOriginalWhole: Bool

    private let files: SourceFiles
    private let plan: MatroskaPlan
    private let layout: MatroskaLayout

    /// Reads the original's index and plans the copy.
    ///
    /// - Parameter source: The original, open for reading. It stays yours to close, after `write(to:progress:)`.
    /// - Throws: `notAMovie`, `invalidBox`; `encrypted`; `noSamples`; `unsupported` where video or audio cannot be in such a
    ///   file as they are, or are edited in a way that Matroska cannot tell; `system`.
    package init(of source: FileDescriptor, options: Options = Options()) throws(MovieFileError) {
        let file = try ReadableFile(source)
        let original = try CopySource(file, options.tracks, isForMatroska: true)
        try self.init(original, file, SourceFiles(source, size: file.size), options)
    }

    /// Plans the copy of several movies behind each other.
    ///
    /// - Throws: as of one.
    package init(of joined: JoinedOriginal, options: Options = Options()) throws(MovieFileError) {
        try self.init(joined.source, joined.first.file, joined.files, options)
    }

    private init(
        _ original: CopySource, _ file: ReadableFile, _ files: SourceFiles, _ options: Options
    ) throws(MovieFileError) {
        isOriginalWhole = original.isWhole
        let plan = try MatroskaPlan(original, file, files, isWebM: options.isWebM)
        layout = try MatroskaLayout(plan, application: options.application)
        self.files = files
        self.plan = plan
        fileSize = layout.fileSize
        duration = MediaTime(nanoseconds: plan.duration)
        delay = MediaTime(nanoseconds: plan.shift)
        frameCount =
            plan.tracks.first { $0.kind == .video }?.samples.count
            ?? plan.kept.first { $0.kind == .video }?.blocks.count
        audioTrackCount = plan.count(of: .audio)
        omittedTracks = plan.omitted
        omissions =
            plan.copied.omissions + plan.omissions + plan.tracks.compactMap(\.seamOmission) + Self.shown(plan)
            + MatroskaChapters.omitted(plan.chapters, shift: plan.shift, end: plan.duration).map(\.omission)
    }

    /// What is said of frames that the original hides.
    private static func shown(_ plan: MatroskaPlan) -> [String] {
        let video = plan.tracks.filter { $0.kind == .video }
        let early = video.map(\.early).max() ?? 0
        let lateCount = video.reduce(0) { $0 + $1.lateCount }
        let name = plan.isWebM ? "WebM" : "Matroska"
        var notes: [String] = []
        if early > MatroskaTime.millisecond {
            let seconds = String(format: "%.2f", Double(early) / Double(MatroskaTime.second))
            notes.append(
                "\(name) has no edit lists: the frames begin with a key frame, \(seconds) s before the first one that the input "
                    + "shows; encode them to begin exactly there.")
        }
        if lateCount > 0 {
            let frames =
                lateCount == 1
                ? "a frame that the input does not show and the one before it needs"
                : "\(lateCount) frames that the input does not show and those before them need"
            notes.append("\(name) has no edit lists: the video ends with \(frames); encode it to end exactly there.")
        }
        return notes
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
        try DescriptorFile(descriptor: target).write(layout.head, at: 0)
        var writer = ClusterWriter(
            source: files, target: target, texts: plan.texts.bytes, transparency: plan.transparency,
            position: UInt64(layout.head.count))
        for cluster in plan.clusters.clusters {
            try writer.write(cluster, plan.clusters.blocks[cluster.blocks])
            guard progress(writer.position) else { throw .cancelled }
        }
    }

    /// Copies a movie into a file that appears under its name once it is complete.
    ///
    /// - Parameters:
    ///   - input: Refused where another program has it open for writing.
    ///   - output: Whose ending does not matter.
    ///   - replacing: Whether a file of that name may be replaced.
    ///   - progress: Told now and then how many bytes are written. False ends the copy.
    /// - Throws: `notAMovie`, `invalidBox`; `encrypted`; `noSamples`; `unsupported` where video or audio cannot be in such a
    ///   file as they are; `cancelled` where `progress` said so; `noSpace`; `system`, with `fileExists` where a file of that
    ///   name may not be replaced.
    @discardableResult
    package static func copy(
        _ input: FilePath, to output: FilePath, options: Options = Options(), replacing: Bool = false,
        progress: (UInt64) -> Bool = { _ in true }
    ) throws(MovieFileError) -> MatroskaCopy {
        try ReadableFile.open(input, lock: .shared) { (file) throws(MovieFileError) in
            let copy = try MatroskaCopy(of: file.descriptor, options: options)
            try NewFile.write(output, replacing: replacing) { (new) throws(MovieFileError) in
                try copy.write(to: new, progress: progress)
            }
            return copy
        }
    }

    /// Copies a movie into a file that has no name yet.
    ///
    /// - Throws: As `copy(_:to:options:replacing:progress:)`.
    package static func copy(
        _ input: FilePath, to output: UnfinishedFile, options: Options, progress: (UInt64) -> Bool
    ) throws(MovieFileError) -> MatroskaCopy {
        try ReadableFile.open(input, lock: .shared) { (file) throws(MovieFileError) in
            let copy = try MatroskaCopy(of: file.descriptor, options: options)
            try output.withDescriptor { (new) throws(MovieFileError) in try copy.write(to: new, progress: progress) }
            return copy
        }
    }
}
