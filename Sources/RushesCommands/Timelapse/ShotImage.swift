import Errors
import FileSystem
import Foundation
import GStreamer
import SystemPackage
import Threads

/// A frame as a JPEG or PNG file of its own.
enum ShotImage {
    /// Writes it in its full size. An older file of the name is replaced only where that is said.
    ///
    /// - Throws: ``RushesError`` if it cannot be drawn or written.
    static func write(_ frame: Sample, to path: FilePath, replacing: Bool) async throws {
        if !replacing, path.isThere {
            throw RushesError(
                .fileExists, on: path.string, "\(path) already exists; choose another name, or \(Term.overwriting).")
        }
        guard let width = frame.caps?.first?["width"]?.intValue else {
            throw RushesError(.notWritable, on: path.string, "There is no frame to write to \(path) yet.")
        }
        do {
            try await onOwnThread("rushes-image") {
                let isPNG = path.extension?.lowercased() == "png"
                let image = try isPNG ? frame.png() : frame.jpeg(width: Int(width))
                let bytes = try image.withBytes { Data($0) }
                try AtomicFile.replace(path, with: bytes, permissions: [.ownerReadWrite, .groupRead, .otherRead])
            }
        } catch {
            throw RushesError(
                .notWritable, on: path.string, "\(path) cannot be written: \(error).", underlying: error)
        }
    }
}
