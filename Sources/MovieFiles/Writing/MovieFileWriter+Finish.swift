import FileSystem
import MediaTypes

extension MovieFileWriter {
    /// Makes the file an ordinary movie: appends its index, and turns the fragments into one `mdat`.
    ///
    /// Samples that a full disk left incomplete are not in the movie, and where the disk has no room for the index, or the
    /// file is as large as its file system allows (4 GiB on FAT32), the last samples are dropped for it, unless not even what is
    /// there can be written over. Whatever fails, and whenever, the file plays.
    ///
    /// - Throws: `noSamples` where nothing was recorded, `noSpace` where the index found no room all the same: the file
    ///   then stays in fragments. `invalidBox` where the muxer's fragments are not consistent, `encrypted`, `system`.
    package func finish() throws(MovieFileError) -> FinishedMovie {
        pusher?.stop()
        defer { _ = reserve?.release() }
        if isFinished { throw .unsupported(reason: "it is finished already") }
        guard movie != nil else { throw .noSamples }
        if let indexFailure { throw indexFailure }
        share?.keep(0)
        let (index, size) = try appendIndex()
        let appender = IndexAppender(file: file, moovOffset: moovOffset, dataEnd: bytesWritten)
        try usingReserve { () throws(MovieFileError) in try appender.makeItCount() }
        isFinished = true
        bytesWritten += UInt64(size)
        lockedDescriptor.map(FileLock.release)
        return FinishedMovie(
            tracks: index.tracks, duration: index.duration, fileSize: bytesWritten, indexSize: size, shortage: shortage)
    }

    /// What a file system needs beside the index itself, in bytes: the blocks that it begins and ends in.
    private static let roomBeside: UInt64 = 16 << 10
    /// Room that was made may be taken by other programs, or be shared with another file; but samples are not given up
    /// for nothing. Each time four times as much is given, so this is at most 21 times the index's size.
    private static let maximumTries = 3

    /// Appends the index, in bytes as stated, to the chapters' text and the samples that leave room for it.
    private func appendIndex() throws(MovieFileError) -> (index: MovieIndex, size: Int) {
        var tries = 0
        while true {
            let index = try makeIndex()
            do {
                return (index, try usingReserve { () throws(MovieFileError) in try append(index) })
            } catch {
                guard error.isOutOfSpace else { throw error }
                let needed = UInt64(try index.moov.serialized().count) + Self.roomBeside
                guard tries < Self.maximumTries, !file.takesNothing(before: bytesWritten),
                    giveWay(needed << (2 * UInt64(tries)))
                else { throw error }
                shortage = error
                tries += 1
            }
        }
    }

    private func makeIndex() throws(MovieFileError) -> MovieIndex {
        guard var movie else { throw .noSamples }
        _ = movie.removeSamples(beyond: bytesWritten)
        self.movie = movie
        var startTimes: [UInt32: MediaTime] = [:]
        for (index, time) in options.startTimes() where movie.tracks.indices.contains(index) {
            startTimes[movie.tracks[index].trackID] = time
        }
        movie.showLastFrames()
        if let end = options.end() { movie.holdLastFrames(until: end, startTimes: startTimes) }
        return try MovieIndex(
            movie, timing: .recorder(audioPriming: options.audioPriming, startTimes: startTimes),
            beginsInsideFrame: options.beginsInsideFrame)
    }

    /// Writes the chapters' text and the index, whose size it returns. What is written before it fails is gone again.
    private func append(_ index: MovieIndex) throws(MovieFileError) -> Int {
        let samplesEnd = bytesWritten
        do throws(MovieFileError) {
            var moov = index.moov
            if let chapters = try moov.setChapters(chapters, dataOffset: bytesWritten) {
                try chapters.data.withBytes { (buffer) throws(MovieFileError) in try write(buffer) }
            }
            let bytes = try moov.serialized()
            try IndexAppender(file: file, moovOffset: moovOffset, dataEnd: bytesWritten).append(bytes)
            return bytes.count
        } catch {
            if bytesWritten > samplesEnd, (try? file.truncate(to: samplesEnd)) != nil { bytesWritten = samplesEnd }
            throw error
        }
    }

    /// Does what needs room, and once more where there was none but what has been kept for it.
    private func usingReserve<Value>(_ body: () throws(MovieFileError) -> Value) throws(MovieFileError) -> Value {
        do { return try body() } catch {
            guard error.isOutOfSpace, reserve?.release() == true else { throw error }
            return try body()
        }
    }

    /// What the file holds where it could not be finished: its fragments, as far as they are whole.
    package var unfinished: FinishedMovie {
        var movie = movie
        _ = movie?.removeSamples(beyond: bytesWritten)
        let tracks = movie?.describedTracks.filter { $0.sampleCount > 0 } ?? []
        return FinishedMovie(
            tracks: tracks, duration: tracks.map(\.duration).max() ?? .zero, fileSize: bytesWritten, indexSize: 0)
    }

    /// Cuts that many bytes off the end of the samples; false where that leaves none or cannot be done.
    private func giveWay(_ count: UInt64) -> Bool {
        let firstSample =
            movie?.tracks.filter { !$0.isTimeCode }.compactMap(\.samples.chunks.first?.offset).min() ?? .max
        guard bytesWritten > count, bytesWritten - count > firstSample,
            (try? file.truncate(to: bytesWritten - count)) != nil
        else { return false }
        bytesWritten -= count
        return true
    }
}
