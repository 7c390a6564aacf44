import Errors
import FileSystem
import Foundation
import MovieFiles
import Photos
import SystemPackage

/// The photos that paths mean.
enum PhotoListing {
    /// All of them, each once, in no order that matters; of a raw file and a JPEG of one name, which are one shot, the JPEG. Blocks.
    ///
    /// - Throws: ``RushesError`` for a path that is none, and where there is no photo.
    static func photos(_ paths: [FilePath]) throws(RushesError) -> [FilePath] {
        var (found, seen) = ([FilePath](), Set<FilePath>())
        for path in paths {
            for photo in try photos(path) where seen.insert(place(photo)).inserted {
                found.append(photo)
            }
        }
        return withoutPairs(found)
    }

    /// Where its name stands, by whatever path it was named. A link to another photo is a photo of its own.
    private static func place(_ photo: FilePath) -> FilePath {
        let folder = photo.absolute.removingLastComponent()
        guard let name = photo.lastComponent, let found = folder.withPlatformString({ realpath($0, nil) }) else {
            return photo.absolute
        }
        defer { free(found) }
        return FilePath(platformString: found).appending(name)
    }

    private static func withoutPairs(_ photos: [FilePath]) -> [FilePath] {
        func name(_ path: FilePath) -> FilePath { path.removingLastComponent().appending(path.stem ?? "") }
        let shown = Set(photos.lazy.filter { !RawPhoto.hasEnding($0) }.map(name))
        return photos.filter { !RawPhoto.hasEnding($0) || !shown.contains(name($0)) }
    }

    private static func photos(_ path: FilePath) throws(RushesError) -> [FilePath] {
        if FileStatus(path)?.isFolder == true {
            let photos = content(ofFolder: path)
            guard !photos.isEmpty else {
                throw RushesError(.badInput, on: path.string, "There is no photo in \(path.displayName).")
            }
            return photos
        }
        if FileStatus(path) != nil { return [path] }
        let matching = matches(path)
        guard !matching.isEmpty else {
            throw RushesError(.badInput, on: path.string, "\(path.displayName) does not exist.")
        }
        let (folders, files) = (matching.filter(isFolder), matching.filter { !isFolder($0) })
        let photos =
            files.filter { $0.lastComponent.map(isPhoto) ?? false } + folders.flatMap { content(ofFolder: $0) }
        guard !photos.isEmpty || !files.isEmpty else {
            throw RushesError(.badInput, on: path.string, "There is no photo in the folders \(path.displayName).")
        }
        // Who asks for "*.bmp" wants those.
        return photos.isEmpty ? files : photos
    }

    private static func isFolder(_ path: FilePath) -> Bool { FileStatus(path)?.isFolder == true }

    private static func content(ofFolder path: FilePath) -> [FilePath] {
        let names = (try? FolderDescriptor.names(in: path)) ?? []
        return names.filter(isPhoto).map { path.appending($0) }.filter { FileStatus($0)?.isRegularFile == true }
    }

    /// Those that a pattern stands for, as shells expand it: where it was quoted, or is too long for a command line.
    private static func matches(_ pattern: FilePath) -> [FilePath] {
        var found = glob_t()
        defer { globfree(&found) }
        guard pattern.withPlatformString({ glob($0, 0, nil, &found) }) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { FilePath(platformString: $0) } }
    }

    private static func isPhoto(_ name: FilePath.Component) -> Bool {
        guard let ending = name.extension?.lowercased(), name.string.first != "." else { return false }
        return endings.contains(ending)
    }

    private static let endings =
        RawPhoto.endings.union([
            "jpg", "jpeg", "jpe", "png", "webp", "tif", "tiff", "heic", "heif", "hif", "avif", "dpx", "exr",
        ])
}
