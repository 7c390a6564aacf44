import ArgumentParser
import Export
import Foundation
import Rushes
import SystemPackage

extension ComposeMovieOptions {
    /// What the options say, whichever movies it is of.
    ///
    /// - Throws: a `ValidationError` for options that do not go together.
    var composition: CompositionSettings {
        get throws {
            let layouts = try layout.map { try TimedLayout($0) }
            guard layouts.count(where: { $0.time == nil }) < 2 else {
                throw ValidationError(
                    "Only one --layout can hold from the beginning on; give the others a time, as in top-left@10s.")
            }
            var settings = CompositionSettings()
            settings.layouts = layouts.map { .init($0.layout, from: $0.time ?? .zero) }
            if let transition { settings.transition = transition.time }
            settings.alignment = align?.alignment
            settings.audio = audioFrom.origin
            return settings
        }
    }

    /// One composition.
    ///
    /// - Throws: a `ValidationError` for options that do not go together; ``RushesError`` for a project that cannot be read.
    /// - Parameter isLastOutput: whether what is named last behind --from-project is the movie to write.
    func single(isLastOutput: Bool) throws -> MovieComposition {
        let projects = isLastOutput ? fromProject.dropLast() : fromProject[...]
        guard projects.count < 2 else {
            throw ValidationError("Several projects go into a folder; name it with --output-directory.")
        }
        if let project = projects.first {
            guard main == nil, inset.isEmpty else {
                throw ValidationError("--from-project names the movies; leave --main and --inset out.")
            }
            return try MovieComposition(project: FilePath(typed: project), try composition)
        }
        guard let main else { throw ValidationError("--main is missing; name the movie that fills the frame.") }
        guard !inset.isEmpty else { throw ValidationError("--inset is missing; name the movie that is drawn into it.") }
        guard inset.count <= 3 else { throw ValidationError("--inset is given up to three times.") }
        return MovieComposition(main: FilePath(typed: main), insets: FilePath.typed(inset), try composition)
    }

    /// Several: each a main movie with what is drawn into it, or a project alone.
    ///
    /// - Throws: a `ValidationError` for options that do not go together, and where a movie has no partner.
    func works() throws -> [(main: FilePath, insets: [FilePath])] {
        guard fromProject.isEmpty else {
            guard main == nil, inset.isEmpty else {
                throw ValidationError("--from-project names the movies; leave --main and --inset out.")
            }
            return FilePath.typed(fromProject).map { ($0, []) }
        }
        guard let main, !inset.isEmpty else {
            throw ValidationError(
                "There is nothing to compose; name projects with --from-project, or two folders with --main and --inset."
            )
        }
        return try CompositionPairs.pairs(main: FilePath(typed: main), insets: FilePath.typed(inset))
    }
}

/// Movies in folders that belong together by their names.
enum CompositionPairs {
    /// - Throws: a `ValidationError` where a movie has no partner.
    static func pairs(main: FilePath, insets: [FilePath]) throws -> [(main: FilePath, insets: [FilePath])] {
        for folder in [main] + insets where !FolderListing.isFolder(folder) {
            throw ValidationError(
                "\(folder) is not a folder; with --output-directory --main and --inset name folders, whose movies go together by name."
            )
        }
        let partners = try insets.map { folder in
            Dictionary(grouping: try FolderListing.movies(in: folder)) { $0.stem ?? "" }
        }
        let mains = try FolderListing.movies(in: main)
        guard !mains.isEmpty else { throw ValidationError("There is no movie in \(main).") }
        return try mains.map { movie in
            let own = try zip(insets, partners).map { folder, partners in
                let partners = partners[movie.stem ?? ""] ?? []
                guard partners.count < 2 else {
                    let names = partners.compactMap { $0.lastComponent?.string }.sorted().joined(separator: " and ")
                    throw ValidationError("\(folder) has \(names) to go with \(movie); rename one of them.")
                }
                guard let partner = partners.first else {
                    throw ValidationError("\(folder) has no movie named \(movie.stem ?? "") to go with \(movie).")
                }
                return partner
            }
            return (movie, own)
        }
    }
}
