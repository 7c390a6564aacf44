import Foundation
public import SystemPackage

/// Writes a movie that is in fragments while it is recorded and an ordinary one once it is finished.
///
/// The muxer's bytes (ISO/IEC 14496-12 movie fragments: `ftyp`, `moov`, `moof`, `mdat`, `moof`, …) go to the file at
/// once and unbuffered, so that what is on disk plays at every moment, upright and in step. `finish()` appends one
/// complete index and turns the head of the first one into that of an `mdat` over everything: the cost is that of the
/// index, not of the data, and a crash at any instant leaves a movie that plays.
///
/// Used from one thread at a time.
public final class MovieFileWriter {
    private let options: Options
    private let file: any RandomAccessFile
    private let pusher: DiskPusher?
    private let lockedDescriptor: FileDescriptor?
    private var framer = BoxFramer()
    private var box: CurrentBox?
    private var isQuickTime = false
    private var movie: FragmentedMovie?
    /// Where the first `moov` begins in the file.
    private var moovOffset: UInt64 = 0
    /// Places of edits that wait for their track's first picture.
    private var mediaTimeOffsets: [UInt32: UInt64] = [:]
    private var failure: MovieFileError?
    private var isFinished = false
    private var startTimes: [Int: Double] = [:]

    /// How many bytes the file has.
    public private(set) var bytesWritten: UInt64 = 0
    /// Named parts of the movie, to be set before `finish()`.
    public var chapters: [MovieInfo.Chapter] = []
    /// Why the movie cannot get its index although its fragments are good; nil as long as all is well.
    public private(set) var indexFailure: MovieFileError?

    /// The box of the stream that is under way, and what is done with it.
    private struct CurrentBox {
        var type: FourCC
        var fileOffset: UInt64
        /// The whole box, for those that are read.
        var collected: [UInt8] = []
        var isCollected = false
        var isWritten = true
    }

    /// More than the first index or that of a fragment ever needs.
    private static let maximumCollectedSize = 64 << 20

    /// Begins an empty movie.
    ///
    /// - Parameters:
    ///   - descriptor: Of an empty file, open for writing and best for reading too, not for appending. It stays yours
    ///     to close, after `finish()` or once the writer is gone. Until then the file is locked (`flock`), so that
    ///     nothing here edits or recovers it.
    public convenience init(descriptor: FileDescriptor, options: Options = Options()) {
        self.init(
            file: DescriptorFile(descriptor: descriptor), pusher: DiskPusher(descriptor), options: options,
            lockedDescriptor: descriptor)
        do { try FileLock.exclusive.acquire(descriptor) } catch { failure = error }
        if fcntl(descriptor.rawValue, F_GETFL) & O_APPEND != 0 {
            // Every write would go to the end, wherever it belongs.
            failure = .unsupported(reason: "its file is open for appending only")
        }
    }

    init(
        file: any RandomAccessFile, pusher: DiskPusher?, options: Options, lockedDescriptor: FileDescriptor? = nil
    ) {
        self.file = file
        self.lockedDescriptor = lockedDescriptor
        self.pusher = pusher
        self.options = options
    }

    deinit {
        pusher?.stop()
    }

    /// The tracks known so far: none until the muxer has written its first `moov`.
    public var tracks: [FinishedMovie.Track] {
        movie?.tracks.map { track in
            FinishedMovie.Track(
                trackID: track.trackID, handler: track.handler, sampleCount: track.samples.count,
                duration: Double(track.samples.duration) / Double(track.timescale))
        } ?? []
    }

    /// Says when the first sample of a track is presented, where a track begins later than the movie.
    ///
    /// The muxer starts every track at 0, so it is for the recorder to tell.
    ///
    /// - Parameters:
    ///   - seconds: From the beginning of the movie.
    ///   - index: The track's place among the tracks, from 0.
    public func setStartTime(_ seconds: Double, ofTrackAt index: Int) {
        startTimes[index] = seconds
    }

    /// Takes the next bytes of the muxer's stream, in pieces of any size, and writes them.
    ///
    /// - Throws: `noSpace` or `system` where the file cannot be written, `invalidBox` where the stream does not begin a
    ///   movie. Afterwards nothing more is taken, but `finish()` still works.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(MovieFileError) {
        if let failure { throw failure }
        do {
            var input = bytes
            while let piece = try framer.next(&input) { try handle(piece) }
        } catch {
            failure = error
            throw error
        }
    }

    private func handle(_ piece: BoxFramer.Piece) throws(MovieFileError) {
        switch piece {
        case .header(let header, let bytes):
            box = begin(header)
            try bytes.withBytes { (buffer) throws(MovieFileError) in try take(buffer) }
        case .payload(let bytes):
            try take(bytes)
        case .end:
            guard let box else { return }
            self.box = nil
            try end(box)
        }
    }

    private func begin(_ header: BoxHeader) -> CurrentBox {
        var box = CurrentBox(type: header.type, fileOffset: bytesWritten)
        switch header.type {
        case "moov":
            // Held back until it is whole and patched. A second one, which a muxer writes when it may seek, and an
            // index of fragments that lie elsewhere by now, would only mislead.
            box.isWritten = false
            box.isCollected = movie == nil
        case "mfra":
            box.isWritten = false
        case "moof":
            // Written at once when it is whole: players that meet half a one at the end refuse the whole file.
            box.isWritten = false
            box.isCollected = true
        case "ftyp":
            box.isCollected = true
        default: break
        }
        return box
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(MovieFileError) {
        if box?.isWritten == true { try write(bytes) }
        guard box?.isCollected == true else { return }
        box?.collected.append(contentsOf: bytes)
        if let box, box.collected.count > Self.maximumCollectedSize {
            throw .invalidBox(box.type, offset: box.fileOffset, reason: "it is larger than any real one")
        }
    }

    private func end(_ box: CurrentBox) throws(MovieFileError) {
        switch box.type {
        case "ftyp": isQuickTime = box.collected.dropFirst(8).prefix(4).elementsEqual("qt  ".utf8)
        case "moov" where box.isCollected: try begin(movie: box)
        case "moof":
            try box.collected.withBytes { (buffer) throws(MovieFileError) in try write(buffer) }
            try add(fragment: box)
        case "mdat":
            pusher?.push()
            try repairAV1()
        default: break
        }
    }

    private func begin(movie box: CurrentBox) throws(MovieFileError) {
        moovOffset = bytesWritten
        let first = try FirstMovieBox(
            Box(box.collected, at: moovOffset), at: moovOffset, options: options, isQuickTime: isQuickTime)
        mediaTimeOffsets = first.mediaTimeOffsets
        movie = try FragmentedMovie(moov: first.box)
        try first.bytes.withBytes { (buffer) throws(MovieFileError) in try write(buffer) }
    }

    /// Notes the samples of a fragment. Its bytes are written already: what is wrong with it must not end a recording
    /// whose fragments play, so it is kept for `finish()` to report.
    private func add(fragment: CurrentBox) throws(MovieFileError) {
        guard movie != nil, indexFailure == nil else { return }
        do {
            try movie?.add(moof: Box(fragment.collected, at: fragment.fileOffset))
        } catch {
            indexFailure = error
            return
        }
        for track in movie?.tracks ?? [] where track.samples.count > 0 {
            guard let offset = mediaTimeOffsets.removeValue(forKey: track.trackID),
                let time = Int32(exactly: track.samples.presentationTimes.lowerBound), time > 0
            else { continue }
            var writer = ByteWriter()
            writer.append(time)
            try file.write(writer.bytes, at: offset)
        }
    }

    /// Needs a descriptor that can be read too; without, the box stays as the muxer left it.
    private func repairAV1() throws(MovieFileError) {
        let patches = try movie?.repairAV1 { (count, offset) in file.read(upTo: count, at: offset) } ?? []
        for patch in patches { try file.write(patch.bytes, at: patch.offset) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(MovieFileError) {
        var written = 0
        defer { bytesWritten += UInt64(written) }
        try file.write(bytes, at: bytesWritten, written: &written)
    }

    /// Makes the file an ordinary movie: appends its index, and turns the fragments into one `mdat`.
    ///
    /// Samples that a full disk left incomplete are not in the movie. Whatever fails, and whenever, the file plays.
    ///
    /// - Throws: `noSamples` where nothing was recorded, `noSpace` where the index does not fit: the file then stays
    ///   in fragments. `invalidBox` where the muxer's fragments are not consistent, `system`.
    public func finish() throws(MovieFileError) -> FinishedMovie {
        pusher?.stop()
        if isFinished { throw .unsupported(reason: "it is finished already") }
        guard var movie else { throw .noSamples }
        if let indexFailure { throw indexFailure }
        _ = movie.removeSamples(beyond: bytesWritten)
        var startTimes: [UInt32: Double] = [:]
        for (index, time) in self.startTimes where movie.tracks.indices.contains(index) {
            startTimes[movie.tracks[index].trackID] = time
        }
        let index = try MovieIndex(
            movie, timing: .recorder(soundPriming: options.soundPriming, startTimes: startTimes))
        var moov = index.moov
        if let chapters = try moov.setChapters(chapters, dataOffset: bytesWritten) {
            try chapters.data.withBytes { (buffer) throws(MovieFileError) in try write(buffer) }
        }
        let bytes = try moov.serialized()
        try IndexAppender(file: file, moovOffset: moovOffset, dataEnd: bytesWritten).append(bytes)
        isFinished = true
        lockedDescriptor.map(FileLock.release)
        bytesWritten += UInt64(bytes.count)
        return FinishedMovie(
            tracks: index.tracks, duration: index.duration, fileSize: bytesWritten, indexSize: bytes.count)
    }
}
