package import Errors
import FileSystem
package import MediaTypes
package import SystemPackage

/// Movies behind each other in one file, their samples untouched.
package struct MovieJoin: Sendable {
    /// Of the longest track.
    package private(set) var duration = MediaTime.zero
    /// In bytes.
    package private(set) var fileSize: UInt64 = 0
    /// nil where there is no video.
    package private(set) var frameCount: Int?
    /// What is left out, in full sentences.
    package private(set) var notes: [String] = []

    /// What is written.
    package enum Kind: Sendable, Hashable {
        case movie(MovieFileType)
        /// Audio alone, in MP4.
        case audio
        case matroska(isWebM: Bool)

        fileprivate var isMatroska: Bool { if case .matroska = self { true } else { false } }
    }

    /// Joins movies into a file that appears under its name once it is complete and was read.
    ///
    /// - Parameters:
    ///   - inputs: In their order.
    ///   - kind: what kind of file it is.
    ///   - replacing: Whether a file of that name may be replaced.
    ///   - progress: Told now and then which part is copied, from 0 to 1. False ends it.
    /// - Throws: ``RushesError`` that names the input that is at fault, or the output.
    package static func join(
        _ inputs: [JoinedFile], to output: FilePath, as kind: Kind, replacing: Bool,
        progress: (Double) -> Bool = { _ in true }
    ) throws(RushesError) -> MovieJoin {
        do {
            let joined = try JoinedOriginal(inputs, isForMatroska: kind.isMatroska)
            if kind == .audio, joined.hasVideo {
                throw RushesError(
                    .invalidSettings, on: output.string,
                    "\(inputs[0].name.wireText) has video, which \(output.wireText) does not hold; name the file .mp4.")
            }
            var result = MovieJoin()
            try NewFile.write(output, replacing: replacing) { (new) throws(MovieFileError) in
                result = try write(joined, kind, to: new, beside: output, progress)
            }
            result.notes += inputs.compactMap { input in
                AppendedMovie.behind(input.content).map { "\(input.name.wireText): \($0.note)" }
            }
            return result
        } catch let error as MovieJoinError {
            throw error.sentence
        } catch let error as MovieFileError {
            throw RushesError(error, on: output)
        } catch let error as RushesError {
            throw error
        } catch {
            throw RushesError(.writeFailed, on: output.string, "\(error)")
        }
    }

    /// The same of movies that are read under their own names.
    package static func join(_ inputs: [FilePath], to output: FilePath, as kind: Kind, replacing: Bool)
        throws(RushesError) -> MovieJoin
    {
        try join(inputs.map { JoinedFile($0) }, to: output, as: kind, replacing: replacing)
    }

    private static func write(
        _ joined: JoinedOriginal, _ kind: Kind, to new: FileDescriptor, beside output: FilePath,
        _ progress: (Double) -> Bool
    ) throws(MovieFileError) -> MovieJoin {
        var result = MovieJoin()
        let subtitles = try MovieSubtitles(
            joining: joined.movies.map {
                .init(file: $0.file, span: .init(origin: $0.origin, end: $0.end, begin: $0.begin))
            })
        switch kind {
        case .movie, .audio:
            var type = MovieFileType.mp4
            if case .movie(let chosen) = kind { type = chosen }
            let copy = try MovieCopy(of: joined, options: .init(fileType: type))
            try copy.write(to: new) { progress(Double($0) / Double(max(1, copy.fileSize))) }
            result.duration = copy.duration
            result.notes = joined.omissions + copy.omittedTracks.map(\.reason) + copy.omissions
            result.notes += subtitles.omissions + (try subtitles.add(toMovie: new, .whole)).notes
        case .matroska(let isWebM):
            let copy = try MatroskaCopy(of: joined, options: .init(isWebM: isWebM))
            let held = isWebM ? try subtitles.webM() : subtitles
            let first = held.isEmpty ? nil : try UnnamedFile.beside(output)
            try copy.write(to: first?.descriptor ?? new) { progress(Double($0) / Double(max(1, copy.fileSize))) }
            result.duration = copy.duration
            result.notes = joined.omissions + copy.omittedTracks.map(\.reason) + copy.omissions + held.omissions
            if let first {
                result.notes += try held.add(toMatroska: first.descriptor, writingTo: new, .whole).notes
            }
        }
        result.fileSize = try ReadableFile(new).size
        result.frameCount = joined.frameCount
        try result.expect(try frameCount(ReadableFile(new)))
        return result
    }

    /// Of the first video track; of Matroska by its blocks, as it may hold what is not copied from there.
    private static func frameCount(_ file: ReadableFile) throws(MovieFileError) -> Int? {
        guard try MatroskaSegment.isMatroska(file) else {
            return try CopySource(file).moov.all("trak").lazy.compactMap(\.frameCount).first
        }
        let segment = try MatroskaSegment(file, for: .describing)
        return segment.tracks.first { $0.kind == .video }.map { segment.frames[$0.number]?.count ?? 0 }
    }

    /// - Throws: `unsupported` where what was written is not what was joined.
    private func expect(_ found: Int?) throws(MovieFileError) {
        guard found == frameCount else {
            throw .unsupported(reason: "it has \(found ?? 0) frames instead of \(frameCount ?? 0)")
        }
    }
}

extension UnnamedFile {
    /// One on the same disk as a file.
    fileprivate static func beside(_ path: FilePath) throws(MovieFileError) -> UnnamedFile {
        do { return try UnnamedFile(in: path.removingLastComponent()) } catch {
            throw MovieFileError(error, operation: "creating a file beside \(path.wireText)")
        }
    }
}

extension Box {
    /// Of a `trak` of video.
    fileprivate var frameCount: Int? {
        guard let mdia = self["mdia"], (try? mdia["hdlr"]?.handlerType()) == "vide",
            let stbl = mdia.descendant("minf", "stbl")
        else { return nil }
        return try? TrackStatistics(stbl).sampleCount
    }
}

extension JoinedOriginal {
    /// Of the first video track; nil where there is none.
    fileprivate var frameCount: Int? { source.moov.all("trak").lazy.compactMap(\.frameCount).first }
    fileprivate var hasVideo: Bool { frameCount != nil }
}

extension MovieJoinError {
    fileprivate var sentence: RushesError {
        guard case .unsupported(let reason) = cause else { return RushesError(cause, on: path) }
        return RushesError(
            .badInput, on: path.string,
            "\(path.wireText) cannot be joined as it is: \(reason); make the movies alike with \(Term.transcoding).")
    }
}
