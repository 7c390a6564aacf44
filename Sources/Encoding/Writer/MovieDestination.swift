package import Errors
package import FileSystem
package import Foundation
import MovieFiles
public import SystemPackage

/// Where a movie is to be, and how it gets there without harm to what is there now.
///
/// A new name is written at once, so that a killed recorder leaves its file where people look for it. To replace a file,
/// the movie is written beside it under "NAME.part.EXT" and takes its place in one step when it is complete.
public struct MovieDestination: Sendable, Hashable {
    /// The movie's name when it is complete.
    package let path: FilePath
    /// Whether a file of that name goes for it.
    package let replacesExisting: Bool
    /// The file, where the caller made it and gives it its name; it is written over as often as it takes.
    let unfinished: UnfinishedFile?
    /// Whether a movie of that name, recorded here before, goes on.
    package let isContinued: Bool
    /// The names of files that follow each other; without it they have a number behind the first one's name.
    let names: FileNameTemplate?
    /// The first file's number.
    package let number: Int

    private init(
        _ path: FilePath, replacesExisting: Bool, unfinished: UnfinishedFile? = nil, isContinued: Bool = false,
        names: FileNameTemplate? = nil, number: Int = 1
    ) {
        (self.path, self.replacesExisting, self.unfinished) = (path, replacesExisting, unfinished)
        (self.isContinued, self.names, self.number) = (isContinued, names, number)
    }

    /// Nothing is looked at or created yet.
    public init(_ path: FilePath, replacesExisting: Bool = false) {
        self.init(path, replacesExisting: replacesExisting, unfinished: nil)
    }

    /// A file that is there and has no name yet.
    package init(_ file: UnfinishedFile) { self.init(file.path, replacesExisting: true, unfinished: file) }

    /// The same in a folder that is called otherwise by now.
    package func moved(to folder: FilePath) -> MovieDestination {
        MovieDestination(
            path.lastComponent.map { folder.appending($0) } ?? path, replacesExisting: replacesExisting,
            unfinished: unfinished, isContinued: isContinued, names: names, number: number)
    }

    /// A movie that more frames are added to.
    package init(continuing path: FilePath) { self.init(path, replacesExisting: false, isContinued: true) }

    /// The first of files that are named by a number or by when they begin, "part-%02d.mov": where nothing is replaced, the first
    /// number that is free.
    ///
    /// - Parameter path: taken as it is where its last part cannot hold either.
    /// - Throws: ``RushesError`` if the name means nothing.
    package init(naming path: FilePath, at date: Date, replacesExisting: Bool) throws(RushesError) {
        guard let name = path.lastComponent?.string, let names = try FileNameTemplate(name) else {
            self.init(path, replacesExisting: replacesExisting)
            return
        }
        self.init(names, in: path.removingLastComponent(), at: date, replacesExisting: replacesExisting)
    }

    init(_ names: FileNameTemplate, in folder: FilePath, at date: Date, replacesExisting: Bool) {
        func file(_ number: Int) -> FilePath { folder.appending(names.name(number: number, at: date)) }
        let isNumbered = names.hasNumber && !replacesExisting
        let number = isNumbered ? (1...Self.numbers).first { !file($0).isTaken } ?? 1 : 1
        self.init(file(number), replacesExisting: replacesExisting, names: names, number: number)
    }

    /// How many are tried.
    static let numbers = 100_000

    /// The folder that the movie is in.
    package var folder: FilePath {
        let folder = path.removingLastComponent()
        return folder.isEmpty ? "." : folder
    }

    /// Checks all that can be known before: the folder exists and can be written, the name is free, there is some space.
    ///
    /// - Parameter bytes: how many have to be free; left out, 16 MiB, or a hundredth of a small disk.
    /// - Throws: ``RushesError`` in one sentence with the cure.
    package func check(needing bytes: Int64? = nil) throws(RushesError) {
        guard let status = FileStatus(folder) else {
            throw RushesError(.noFolder, on: folder.string, "The folder \(folder) does not exist; create it first.")
        }
        guard status.isFolder else {
            throw RushesError(.noFolder, on: folder.string, "\(folder) is not a folder; name another place.")
        }
        let longest = folder.longestName
        if let name = path.lastComponent, name.withPlatformString({ strlen($0) }) > longest {
            throw RushesError(
                .notWritable, on: path.string,
                "The name of \(path) is longer than the \(longest) bytes that a file name can have; choose a shorter one."
            )
        }
        if let reason = path.nameRefusal {
            throw RushesError(
                .notWritable, on: path.string, "\(path) cannot be created: \(reason); choose another name.")
        }
        if let existing = FileStatus(path) {
            guard !existing.isFolder else {
                throw RushesError(.fileExists, on: path.string, "\(path) is a folder; name a file in it.")
            }
            guard replacesExisting || isContinued else { throw exists }
            guard existing.isRegularFile else {
                throw RushesError(.fileExists, on: path.string, "\(path) is not an ordinary file; name another.")
            }
            guard isContinued || !path.isKeptByStickyFolder else {
                throw RushesError(
                    .fileExists, on: path.string,
                    "\(path) is another user's, and its folder lets nobody replace that; choose another name.")
            }
            try expectNoOther()
        } else if path.isLink {
            throw RushesError(
                .fileExists, on: path.string,
                "\(path) is a link to a file that does not exist; remove it or name another.")
        }
        if let reason = folder.writeRefusal {
            throw RushesError(
                .notWritable, on: folder.string,
                "The folder \(folder) cannot be written (\(reason)); choose another or change its permissions.")
        }
        try checkSpace(bytes)
    }

    /// - Parameter bytes: how many have to be free in the folder; left out, 16 MiB, or a hundredth of a small disk.
    /// - Throws: ``RushesError`` in one sentence with the cure.
    package func checkSpace(_ bytes: Int64? = nil) throws(RushesError) {
        let bytes = bytes ?? min(16 << 20, (diskSize(folder) ?? .max) / 100)
        if let free = freeSpace(folder), free < max(1, bytes) {
            let place = folder == "." ? "this folder" : folder.string
            let state =
                free == 0
                ? "The disk of \(place) is full"
                : "Only \(Self.amount(free)) free in \(place), but \(Self.amount(bytes)) must stay free"
            throw RushesError(
                .diskFull, on: folder.string, "\(state); free some space or choose another disk.")
        }
    }

    private static func amount(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1000: "\(bytes) bytes"
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<10_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000) GB"
        }
    }

    /// Whether somebody writes the file of that name, a take that is still recorded say: replaced, it would be lost.
    package var isBeingWritten: Bool { FileWriters.isStillWritten(path) == true }

    private var exists: RushesError {
        RushesError(
            .fileExists, on: path.string, "\(path) already exists; choose another name, or \(Term.overwriting).")
    }
}

extension MovieDestination {
    /// What the file's ending stands for.
    ///
    /// - Throws: ``RushesError`` if it stands for no movie.
    package func container() throws(RushesError) -> Container { try Container(fileName: path.string) }
}
