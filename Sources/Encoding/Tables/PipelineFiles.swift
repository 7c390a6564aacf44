package import Errors
import Foundation
import GStreamer
import PipelineTables
package import SystemPackage

/// The encoder tables and encoding profiles of the folder `pipelines`: those that were compiled in, or those of a folder
/// that is named in their place.
package struct PipelineFiles: Sendable {
    /// What is read in place of what was compiled in; laid out as `pipelines` is.
    package let folder: FilePath?

    /// - Parameter folder: laid out as `pipelines` is; left out, what was compiled in.
    package init(folder: FilePath? = nil) { self.folder = folder }

    /// The folder that the environment variable ``variable`` names, or what was compiled in.
    ///
    /// - Throws: ``RushesError`` if the folder that is named has no encoder tables.
    package static func find() throws(RushesError) -> PipelineFiles {
        try find(named: getenv(variable).map { String(cString: $0) })
    }

    static func find(named name: String?) throws(RushesError) -> PipelineFiles {
        guard let name, !name.isEmpty else { return PipelineFiles() }
        let folder = FilePath(name)
        guard access(folder.appending(tableName("h264")).string, R_OK) == 0 else {
            throw RushesError(
                .noPipelineFiles,
                "“\(name)” has no encoder tables, and \(variable) names it; unset it to use the built-in ones")
        }
        return PipelineFiles(folder: folder)
    }

    /// The environment variable with a folder of tables to be used in place of those that came along.
    package static let variable = "RUSHES_PIPELINES"

    /// The encoder table of a codec, by its name on the command line.
    ///
    /// - Throws: ``GStreamerError`` if it cannot be read, ``RushesError`` if something is missing in it.
    package func encoderTable(_ codec: String) throws -> EncoderTable {
        try EncoderTable(keyFile(Self.tableName(codec)), codec: codec)
    }

    /// The names of all presets, sorted.
    package func presets() -> [String] {
        let ending = ".gep"
        let files: [String]
        if let folder {
            let path = folder.appending(Self.profiles).string
            files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        } else {
            files = PipelineTables.files.keys.filter { $0.hasPrefix("\(Self.profiles)/") }
                .map { String($0.dropFirst(Self.profiles.count + 1)) }
        }
        return files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
    }

    static let profiles = "encoding-profiles"

    private static func tableName(_ codec: String) -> String { "encoders/\(codec).conf" }

    /// - Parameter name: its path in the folder.
    func keyFile(_ name: String) throws -> KeyFile {
        if let folder { return try KeyFile(path: folder.appending(name).string) }
        guard let bytes = PipelineTables.files[name] else {
            throw RushesError(.noPipelineFiles, "no “\(name)” was compiled in")
        }
        return try KeyFile(bytes, name: name)
    }
}
