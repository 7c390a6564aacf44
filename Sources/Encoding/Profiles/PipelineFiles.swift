import Foundation
public import SystemPackage

/// The folder `pipelines` with the encoder tables and encoding profiles, wherever this program was put.
///
/// SwiftPM's `Bundle.module` ends the program where a binary was moved without its resource folder, hence the search.
public struct PipelineFiles: Sendable {
    /// The folder itself.
    public let folder: FilePath

    /// - Parameter folder: the folder `pipelines` itself; nothing is looked for.
    public init(folder: FilePath) { self.folder = folder }

    /// Looks in each place of ``places(executable:environment:)`` and takes the first that has encoder tables.
    ///
    /// - Throws: ``EncodingError`` that lists each place tried.
    public static func find() throws(EncodingError) -> PipelineFiles {
        try find(in: places(executable: executablePath(), environment: getenv(variable).map { String(cString: $0) }))
    }

    static func find(in places: [FilePath]) throws(EncodingError) -> PipelineFiles {
        for place in places where isReadable(place.appending("encoders").appending("h264.conf")) {
            return PipelineFiles(folder: place)
        }
        let tried = places.map(\.string).joined(separator: ", ")
        throw EncodingError(
            .noPipelineFiles,
            "the folder “pipelines” with the encoder tables is in none of: \(tried); "
                + "set \(variable) to where it is, or run scripts/install"
        )
    }

    /// The environment variable that wins over every other place.
    public static let variable = "RUSHES_PIPELINES"

    /// Where the folder may be, in this order: the environment variable; installed beside the program (`../share`); the
    /// build's resource folder; the source checkout, found upward from the program.
    static func places(executable: FilePath?, environment: String?) -> [FilePath] {
        var places = environment.map { $0.isEmpty ? [] : [FilePath($0)] } ?? []
        guard let executable else { return places }
        var folder = executable.removingLastComponent()
        places.append(folder.removingLastComponent().appending("share").appending("rushes").appending("pipelines"))
        places.append(folder.appending("rushes_Encoding.resources").appending("pipelines"))
        // A build lies at most this deep in its checkout: .build/<triple>/debug/<package>.xctest.
        for _ in 0..<6 where !folder.components.isEmpty {
            if isReadable(folder.appending("Package.swift")) { places.append(folder.appending("pipelines")) }
            folder = folder.removingLastComponent()
        }
        return places
    }

    /// The encoder table of a codec, by its name on the command line.
    public func encoderTable(_ codec: String) -> FilePath {
        folder.appending("encoders").appending("\(codec).conf")
    }

    /// The names of all presets.
    public func presets() -> [String] {
        let files =
            (try? FileManager.default.contentsOfDirectory(
                atPath: folder.appending("encoding-profiles").string)) ?? []
        return files.filter { $0.hasSuffix(".gep") }.map { String($0.dropLast(4)) }.sorted()
    }

    /// The encoding profile (`GstEncodingTarget`) of a preset, by its name on the command line.
    public func encodingProfile(_ preset: String) -> FilePath {
        folder.appending("encoding-profiles").appending("\(preset).gep")
    }
}

private func isReadable(_ path: FilePath) -> Bool { access(path.string, R_OK) == 0 }

/// The running program's own file, as the kernel knows it.
private func executablePath() -> FilePath? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard length > 0 else { return nil }
    return FilePath(String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self))
}
