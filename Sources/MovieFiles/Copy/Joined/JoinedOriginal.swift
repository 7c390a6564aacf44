import FileSystem
import Foundation
package import MediaTypes
package import SystemPackage

/// Several movies, behind each other as a rule, as one index lists them: whatever copies a movie copies them as one.
package struct JoinedOriginal: Sendable {
    let source: CopySource
    let files: SourceFiles
    let first: MovieOriginal
    /// One of the movies that are joined: what of its time is taken, to its end if nil, and when that begins to be shown; in nanoseconds.
    struct Member: Sendable {
        let file: JoinedFile
        let origin: Int64
        let end: Int64?
        let begin: Int64
    }

    /// Keeps the files open.
    let originals: [MovieOriginal]
    /// What no movie has, written for this one; nil where there is nothing.
    private var added: UnnamedFile?
    /// What of the movies is left out, in full sentences.
    package let omissions: [String]
    /// Of movies that are joined, for what is written beside their samples.
    let movies: [Member]
    /// Of the files, about, in bytes.
    package var size: UInt64 { source.fileSize }

    /// Lists parts of one movie behind each other, in any order. Edits hide what only the first samples of each need.
    ///
    /// - Parameters:
    ///   - parts: Counted from the movie's first sample.
    ///   - chapters: At the times of what is made of it.
    /// - Throws: `unsupported` where nothing lies in a part, or audio ends within one that another follows; as ``MovieOriginal``.
    package init(
        _ original: MovieOriginal, parts: [Range<MediaTime>], chapters: [MovieInfo.Chapter]
    ) throws(MovieFileError) {
        let whole = try JoinedPart(original, beginsWithVideo: false)
        var (cuts, offset) = ([JoinedPart](), 0.0)
        for part in parts {
            cuts.append(try whole.cut(to: part, from: offset))
            offset += cuts[cuts.count - 1].duration
        }
        guard let begin = cuts.first else { throw .noSamples }
        let delays = cuts.decodingDelays
        var joined = try JoinedMovie(begin.delayingFrames(to: delays))
        for (index, cut) in cuts.enumerated().dropFirst() {
            guard try cut.beginsClosed(original.file) else {
                throw .openGroup(part: index + 1)
            }
            try joined.append(try cut.delayingFrames(to: delays), at: 0)
        }
        var files = SourceFiles(original.file.descriptor, size: original.file.size)
        // Not all programs look at the edits of a track of time codes, which tell the same.
        if let number = try begin.timeCodeNumber(original.file),
            let added = try? UnnamedFile(in: FilePath(NSTemporaryDirectory()))
        {
            var writer = ByteWriter()
            writer.append(number)
            try DescriptorFile(descriptor: added.descriptor).write(writer.bytes, at: 0)
            joined.timeCodePlace = files.append(added.descriptor, size: 4)
            self.added = added
        }
        // Parts may have the same samples, so together more than the file has.
        let (size, isTooLarge) = original.file.size.multipliedReportingOverflow(by: UInt64(parts.count))
        source = CopySource(
            joined: try joined.moov(), size: isTooLarge ? .max : max(size, files.end),
            isQuickTime: original.source.isQuickTime, isWhole: original.source.isWhole, chapters: chapters)
        self.files = files
        (first, originals, omissions, movies) = (original, [original], joined.omissions, [])
    }

    /// Opens the movies and reads their indexes.
    ///
    /// - Parameters:
    ///   - movies: in their order.
    ///   - isForMatroska: whether they become a file of Matroska, without edits.
    /// - Throws: as ``MovieOriginal``, about the movie that is at fault; `unsupported` where two of them are not alike.
    package init(_ movies: [JoinedFile], isForMatroska: Bool = false) throws(MovieJoinError) {
        var originals: [MovieOriginal] = []
        for movie in movies {
            do throws(MovieFileError) { originals.append(try MovieOriginal(movie.content)) } catch {
                throw MovieJoinError(path: movie.name, cause: error)
            }
        }
        guard let first = originals.first else { throw MovieJoinError(path: "", cause: .noSamples) }
        self.first = first
        self.originals = originals
        var files = SourceFiles(first.file.descriptor, size: first.file.size)
        var joined: JoinedMovie
        var members: [Member] = []
        var movie = movies[0]
        do throws(MovieFileError) {
            var parts: [JoinedPart] = []
            for (index, original) in originals.enumerated() {
                movie = movies[index]
                guard original.source.stereo == first.source.stereo else {
                    throw .unsupported(
                        reason: "the images of both eyes lie in its frames in another way than in the first movie's")
                }
                var part = try JoinedPart(original)
                // They are written anew.
                part.others.removeAll { TrackPlaces.Kind(handler: $0) == .subtitle }
                parts.append(part)
            }
            let timescales = parts.videoTimescales
            for index in parts.indices {
                movie = movies[index]
                try parts[index].countVideo(in: timescales)
            }
            let delays = parts.decodingDelays
            movie = movies[0]
            joined = try JoinedMovie(
                try parts[0].delayingFrames(to: delays), isForMatroska: isForMatroska, isLast: parts.count == 1)
            members.append(parts[0].member(movie, at: 0, isLast: parts.count == 1))
            for (index, original) in originals.enumerated().dropFirst() {
                movie = movies[index]
                let base = files.append(original.file.descriptor, size: original.file.size)
                let part = try parts[index].delayingFrames(to: delays)
                members.append(part.member(movie, at: joined.duration, isLast: index == parts.count - 1))
                try joined.append(part, at: base, isLast: index == parts.count - 1)
            }
            // What cannot be goes back to what the first one has.
            movie = movies[0]
            source = CopySource(
                joined: try joined.moov(), size: files.end, isQuickTime: first.source.isQuickTime,
                isWhole: originals.allSatisfy(\.source.isWhole), chapters: joined.chapters,
                stereo: first.source.stereo)
        } catch {
            throw MovieJoinError(path: movie.name, cause: error)
        }
        self.files = files
        self.movies = members
        omissions =
            joined.omissions
            + zip(movies, originals).filter { !$1.source.isWhole }.map { movie, _ in
                "\(movie.name.wireText) ends early; what is intact is joined."
            }
    }
}

extension JoinedPart {
    /// What of its movie's time it is, and when that is shown.
    fileprivate func member(_ file: JoinedFile, at begin: Double, isLast: Bool) -> JoinedOriginal.Member {
        func nanoseconds(_ seconds: Double) -> Int64 { MediaTime(seconds: seconds).nanoseconds }
        return .init(
            file: file, origin: nanoseconds(beginning), end: isLast ? nil : nanoseconds(beginning + duration),
            begin: nanoseconds(begin))
    }
}

/// A movie that is joined to others.
package struct JoinedFile: Sendable {
    /// What people call it.
    package let name: FilePath
    /// What is read: another file where that is a copy of what has the name.
    package let content: FilePath

    package init(_ name: FilePath, content: FilePath? = nil) { (self.name, self.content) = (name, content ?? name) }
}

/// Why movies cannot be joined, and which of them is at fault.
package struct MovieJoinError: Error {
    package var path: FilePath
    package var cause: MovieFileError
}
