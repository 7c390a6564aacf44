import FileSystem
import Foundation
package import SystemPackage

/// Writes a movie that is in fragments while it is recorded and an ordinary one once it is finished.
///
/// The muxer's bytes (ISO/IEC 14496-12 movie fragments: `ftyp`, `moov`, `moof`, `mdat`, `moof`, …) go to the file at
/// once and unbuffered, so that what is on disk plays at every moment, upright and in step. `finish()` appends one
/// complete index and turns the head of the first one into that of an `mdat` over everything: the cost is that of the
/// index, not of the data, and a crash at any instant leaves a movie that plays.
///
/// Used from one thread at a time.
package final class MovieFileWriter {
    let options: Options
    let file: any RandomAccessFile
    let pusher: WritebackThread?
    let lockedDescriptor: FileDescriptor?
    var reserve: SpaceReserve?
    /// Where the movie may not be of any size.
    let share: SizeLimit.Share?
    private var framer = BoxFramer()
    private var box: StreamedBox?
    private(set) var isQuickTime = false
    var movie: FragmentedMovie?
    /// Where the first `moov` begins in the file.
    private(set) var moovOffset: UInt64 = 0
    /// Places of edits that wait for their track's first frame.
    private var mediaTimeOffsets: [UInt32: UInt64] = [:]
    var failure: MovieFileError?
    /// Parameter sets that were told before the head was there.
    var laterCodecData: [UInt8]?
    /// The movie that goes on in this file; nil for a new one.
    let continued: ContinuedMovie?
    /// Ticks of the frames that were there before.
    var begin: UInt64 = 0
    /// Of the first `moov`, which the last one has with what came since.
    private var headSize: UInt64 = 0
    /// By how much that is larger in any case: edits, and where the parts lie.
    private static let smallestChange: UInt64 = 1 << 10
    var isFinished = false
    /// Why samples had to give way to the index.
    var shortage: MovieFileError?

    /// How many bytes the file has.
    package internal(set) var bytesWritten: UInt64 = 0
    /// Named parts of the movie, to be set before `finish()`.
    package var chapters: [MovieInfo.Chapter] = []
    /// Why the movie cannot get its index although its fragments are good; nil as long as all is well.
    package private(set) var indexFailure: MovieFileError?

    /// Begins an empty movie.
    ///
    /// - Parameters:
    ///   - descriptor: Of an empty file, open for writing and best for reading too, not for appending. It stays yours
    ///     to close, after `finish()` or once the writer is gone. Until then nothing here edits or recovers the file,
    ///     which is locked (`flock`).
    package convenience init(descriptor: FileDescriptor, options: Options = Options()) {
        self.init(locking: descriptor, options: options, continuing: nil)
    }

    private convenience init(locking descriptor: FileDescriptor, options: Options, continuing movie: ContinuedMovie?) {
        let share = options.sizeLimit.map { SizeLimit.Share($0) }
        self.init(
            file: DescriptorFile(descriptor: descriptor, share: share), pusher: WritebackThread(descriptor),
            options: options, lockedDescriptor: descriptor, share: share, continuing: movie)
        do { try FileLock.exclusive.acquire(descriptor) } catch { failure = error }
        reserve = SpaceReserve(descriptor)
        if fcntl(descriptor.rawValue, F_GETFL) & O_APPEND != 0 {
            // Every write would go to the end, wherever it belongs.
            failure = .unsupported(reason: "its file is open for appending only")
        }
    }

    /// Adds frames to a movie that was recorded here before; ``Options/hasOwnFragments`` goes without saying. The file stays as it is
    /// until the first frame comes.
    ///
    /// - Parameter descriptor: Of its file, open for reading and writing; as of an empty one.
    /// - Throws: What ``ContinuedMovie`` throws.
    package convenience init(continuing descriptor: FileDescriptor, options: Options) throws(MovieFileError) {
        let movie = try ContinuedMovie(try ReadableFile(descriptor))
        var options = options
        options.hasOwnFragments = true
        self.init(locking: descriptor, options: options, continuing: movie)
        bytesWritten = movie.dataEnd
    }

    init(
        file: any RandomAccessFile, pusher: WritebackThread?, options: Options, lockedDescriptor: FileDescriptor? = nil,
        share: SizeLimit.Share? = nil, continuing movie: ContinuedMovie? = nil
    ) {
        self.share = share
        continued = movie
        self.file = file
        self.lockedDescriptor = lockedDescriptor
        self.pusher = pusher
        self.options = options
        chapters = options.chapters
    }

    /// What it takes to have the file on the disk; `nil` where nothing puts it there.
    package var syncs: DiskDelay? { pusher?.delay }

    deinit {
        pusher?.stop()
    }

    /// The tracks known so far: none until the muxer has written its first `moov`.
    package var tracks: [FinishedMovie.Track] {
        movie?.describedTracks ?? []
    }

    /// Takes the next bytes of the muxer's stream, in pieces of any size, and writes them.
    ///
    /// - Throws: `noSpace` or `system` where the file cannot be written, `invalidBox` where the stream does not begin a
    ///   movie. Afterwards nothing more is taken, but `finish()` still works.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(MovieFileError) {
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
            box = StreamedBox(
                header.type, at: bytesWritten, isMovieKnown: movie != nil, isHeadOnly: options.hasOwnFragments,
                isBranded: options.majorBrand != nil)
            try bytes.withBytes { (buffer) throws(MovieFileError) in try take(buffer) }
        case .payload(let bytes):
            try take(bytes)
        case .end:
            guard let box else { return }
            self.box = nil
            try end(box)
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(MovieFileError) {
        if box?.isWritten == true { try write(bytes) }
        try box?.collect(bytes)
    }

    private func end(_ box: StreamedBox) throws(MovieFileError) {
        switch box.type {
        case "ftyp":
            isQuickTime = box.collected.dropFirst(8).prefix(4).elementsEqual("qt  ".utf8)
            if !box.isWritten, continued == nil {
                var brands = box.collected
                if let brand = options.majorBrand, brands.count >= 12 {
                    brands.replaceSubrange(8..<12, with: brand.utf8.prefix(4))
                }
                try brands.withBytes { (buffer) throws(MovieFileError) in try write(buffer) }
            }
        case "moov" where box.isCollected: try begin(movie: box)
        case "moof" where box.isCollected:
            try box.collected.withBytes { (buffer) throws(MovieFileError) in try write(buffer) }
            try add(fragment: box.collected, at: box.fileOffset)
        case "mdat" where box.isWritten:
            pusher?.push()
            try repairAV1()
        default: break
        }
    }

    private func begin(movie box: StreamedBox) throws(MovieFileError) {
        if let continued { return try goOn(with: continued, Box(box.collected, at: 0)) }
        moovOffset = bytesWritten
        let first = try FirstMovieBox(
            Box(box.collected, at: moovOffset), at: moovOffset, options: options, isQuickTime: isQuickTime)
        mediaTimeOffsets = first.mediaTimeOffsets
        headSize = UInt64(first.bytes.count)
        movie = try FragmentedMovie(moov: first.box)
        try (first.bytes + first.timeCode).withBytes { (buffer) throws(MovieFileError) in try write(buffer) }
        if let laterCodecData { try describe(codecData: laterCodecData) }
    }

    /// Takes up a movie where it ended.
    ///
    /// - Parameter moov: Of what the encoder makes now.
    private func goOn(with old: ContinuedMovie, _ moov: Box) throws(MovieFileError) {
        guard old.isDescribed(like: try FragmentedMovie(moov: moov)) else {
            throw .unsupported(reason: "its frames were made with other settings, so no more can be added to it")
        }
        try old.reopen(file)
        (movie, moovOffset, bytesWritten) = (old.movie, old.moovOffset, old.dataEnd)
        begin = old.movie.tracks.first { $0.handler == "vide" }?.samples.duration ?? 0
    }

    /// Notes the samples of a fragment. Its bytes are written already: what is wrong with it must not end a recording
    /// whose fragments play, so it is kept for `finish()` to report.
    func add(fragment: [UInt8], at offset: UInt64) throws(MovieFileError) {
        guard movie != nil, indexFailure == nil else { return }
        do {
            try movie?.add(moof: Box(fragment, at: offset))
        } catch {
            indexFailure = error
            return
        }
        let indexSize = movie?.tracks.reduce(0) { $0 + $1.estimatedIndexSize } ?? 0
        reserve?.keep(indexSize)
        share?.keep(indexSize + headSize + Self.smallestChange)
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

    func write(_ bytes: UnsafeRawBufferPointer) throws(MovieFileError) {
        var written = 0
        defer { bytesWritten += UInt64(written) }
        try file.write(bytes, at: bytesWritten, written: &written)
    }
}

extension FragmentedTrack {
    /// In bytes, with room to spare: of each sample the size and the times, of each chunk the place and the length. Samples of
    /// PCM are all alike.
    fileprivate var estimatedIndexSize: UInt64 {
        (bytesPerFrame == nil ? UInt64(samples.count) * 20 : 0) + UInt64(samples.chunks.count) * 20
    }
}
