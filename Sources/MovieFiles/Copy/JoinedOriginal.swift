import MediaTypes
package import SystemPackage

/// Several movies behind each other, as one index lists them: whatever copies a movie copies them as one.
package struct JoinedOriginal: Sendable {
    let source: CopySource
    let files: SourceFiles
    let first: MovieOriginal
    /// Keeps the files open.
    private let originals: [MovieOriginal]
    /// What of the movies is left out, in full sentences.
    package let omissions: [String]

    /// Opens the movies and reads their indexes.
    ///
    /// - Parameter named: Each with its name for people.
    /// - Throws: as ``MovieOriginal``, about the movie that is at fault; `unsupported` where two of them are not alike.
    package init(_ paths: [FilePath]) throws(MovieJoinError) {
        var originals: [MovieOriginal] = []
        for path in paths {
            do throws(MovieFileError) { originals.append(try MovieOriginal(path)) } catch {
                throw MovieJoinError(path: path, cause: error)
            }
        }
        guard let first = originals.first else { throw MovieJoinError(path: "", cause: .noSamples) }
        self.first = first
        self.originals = originals
        var files = SourceFiles(first.file.descriptor, size: first.file.size)
        var joined: JoinedMovie
        var path = paths[0]
        do throws(MovieFileError) {
            joined = try JoinedMovie(try JoinedPart(first))
            for (index, original) in originals.enumerated().dropFirst() {
                path = paths[index]
                let base = files.append(original.file.descriptor, size: original.file.size)
                try joined.append(try JoinedPart(original), at: base)
            }
            // What cannot be goes back to what the first one has.
            path = paths[0]
            source = CopySource(
                joined: try joined.moov(), size: files.end, isQuickTime: first.source.isQuickTime,
                isWhole: originals.allSatisfy(\.source.isWhole), chapters: joined.chapters)
        } catch {
            throw MovieJoinError(path: path, cause: error)
        }
        self.files = files
        omissions =
            joined.omissions
            + zip(paths, originals).filter { !$1.source.isWhole }.map { path, _ in
                "\(path.wireText) ends early; what of it is whole is joined."
            }
    }
}

/// Why movies cannot be joined, and which of them is at fault.
package struct MovieJoinError: Error {
    package var path: FilePath
    package var cause: MovieFileError
}
