import Composition
import Encoding
import Errors
import FileSystem
import GStreamer
import MediaTypes
import Photos
import SystemPackage

/// Where photos are written to: one under a name, or several under numbered ones.
struct PhotoPlace: Sendable {
    enum Format: Sendable { case jpeg, png }

    let path: FilePath
    let format: Format
    /// Whether a taken name gets a number, "shot 2.jpg", and is no error.
    let isNumbered: Bool
    /// Bytes that stay free on its disk.
    private let keptFree: Int64

    /// - Throws: ``RushesError`` if the name ends in no format.
    init(_ path: FilePath, isNumbered: Bool, keepingFree keptFree: Int64) throws(RushesError) {
        switch path.extension?.lowercased() {
        case "jpg", "jpeg": format = .jpeg
        case "png": format = .png
        default:
            throw RushesError(
                .invalidSettings, on: path.string,
                "\(path) cannot be a photo; let its name end in .jpg, .jpeg or .png.")
        }
        (self.path, self.isNumbered, self.keptFree) = (path, isNumbered, max(0, keptFree))
    }

    /// Finds out what keeps a photo from being written there. Blocks.
    ///
    /// - Throws: ``RushesError``: that the folder is missing or cannot be written, the disk is full, or the name taken.
    func check() throws(RushesError) {
        for name in names {
            do {
                try MovieDestination(name).check(needing: keptFree)
                return
            } catch {
                guard error.code == .fileExists else { throw error }
                // A photo replaces nothing, so a movie's cure is none.
                guard isNumbered else { throw refusal(.fileExists) }
            }
        }
        throw noName
    }

    /// Writes the file, which gets its name when it is whole. Blocks.
    ///
    /// - Parameter expectWaiting: throws where nobody waits for the file any more.
    /// - Returns: the name.
    /// - Throws: ``RushesError``, or what that closure throws; then there is no file.
    func write(_ bytes: [UInt8], _ expectWaiting: () throws -> Void) throws -> FilePath {
        let folder = path.removingLastComponent()
        if let free = freeSpace(folder.isEmpty ? "." : folder), free - Int64(bytes.count) < keptFree {
            throw refusal(.noSpace)
        }
        do {
            let file = try UnfinishedFile(in: folder)
            try file.withDescriptor { descriptor in
                _ = try descriptor.writeAll(bytes)
                try descriptor.synchronize()
            }
            // Writing may have taken long.
            try expectWaiting()
            for name in names {
                do throws(Errno) {
                    try file.commit(to: name, replacing: false)
                    return name
                } catch {
                    guard error == .fileExists, isNumbered else { throw error }
                }
            }
        } catch let error as Errno {
            throw refusal(error)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw RushesError(
                .writeFailed, on: path.string, "\(path) cannot be written: \(error).", underlying: error)
        }
        throw noName
    }

    private func refusal(_ error: Errno) -> RushesError {
        switch error {
        case .fileExists:
            RushesError(.fileExists, on: path.string, "\(path) already exists; choose another name.", underlying: error)
        case .noSuchFileOrDirectory, .notDirectory:
            RushesError(
                .noFolder, on: path.string, "The folder of \(path) is not there any more; create it again.",
                underlying: error)
        case .noSpace, .diskQuotaExceeded:
            RushesError(
                .diskFull, on: path.string, "The disk is too full for \(path); free some space.", underlying: error)
        default:
            RushesError(.writeFailed, on: path.string, "\(path) cannot be written: \(error).", underlying: error)
        }
    }

    private var noName: RushesError {
        RushesError(.fileExists, on: path.string, "All numbers after \(path) are taken; choose another name.")
    }

    /// Those that are tried.
    private var names: some Sequence<FilePath> {
        (1...(isNumbered ? 9999 : 1)).lazy.map { number in
            guard number > 1, let stem = path.stem, let ending = path.extension else { return path }
            return path.removingLastComponent().appending("\(stem) \(number).\(ending)")
        }
    }
}
