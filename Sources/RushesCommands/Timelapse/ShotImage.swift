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
    /// - Parameter cure: what helps where there is one, beside another name.
    /// - Throws: ``RushesError`` if it cannot be drawn or written.
    static func write(_ frame: Sample, to path: FilePath, replacing: Bool, cure: Term? = nil) async throws {
        if !replacing, path.isThere { throw taken(path, cure) }
        guard let width = frame.caps?.first?["width"]?.intValue else {
            throw RushesError(.notWritable, on: path.string, "There is no frame to write to \(path) yet.")
        }
        do {
            try await onOwnThread("rushes-image") {
                let isPNG = path.extension?.lowercased() == "png"
                let image = try isPNG ? frame.png() : frame.jpeg(width: Int(width))
                let bytes = try image.withBytes { Data($0) }
                let file = try UnfinishedFile(in: path.removingLastComponent())
                try file.withDescriptor { _ = try $0.writeAll(bytes) }
                try file.commit(to: path, replacing: replacing)
            }
        } catch Errno.fileExists {
            // Somebody took the name meanwhile.
            throw taken(path, cure)
        } catch {
            throw RushesError(
                .notWritable, on: path.string, "\(path) cannot be written: \(error).", underlying: error)
        }
    }

    private static func taken(_ path: FilePath, _ cure: Term?) -> RushesError {
        let cure = cure.map { ", or \($0)" } ?? ""
        return RushesError(.fileExists, on: path.string, "\(path) already exists; choose another name\(cure).")
    }
}
