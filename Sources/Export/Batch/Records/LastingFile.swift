import Foundation
import MovieFiles
import SystemPackage

/// A value in a file of JSON: a reader sees the old one or the new one, also after a power cut.
enum LastingFile {
    /// - Throws: `Errno`; `DecodingError` where it holds something else.
    static func read<Value: Decodable>(_ path: FilePath) throws -> Value {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        let data = try file.closeAfter { try FileHandle(fileDescriptor: file.rawValue).readToEnd() ?? Data() }
        return try JSONDecoder().decode(Value.self, from: data)
    }

    /// - Throws: ``ExportError``, `diskFull` where there is no room; the old value is still there.
    static func write(_ value: some Encodable, to path: FilePath) throws(ExportError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        var draft = path
        draft.extension = "tmp"
        do {
            let data = try encoder.encode(value)
            let file = try FileDescriptor.open(
                draft, .writeOnly, options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try file.closeAfter {
                try file.writeAll(data)
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
            try draft.moveFile(to: path, replacing: true)
            path.removingLastComponent().synchronizeFolder()
        } catch {
            draft.removeFile()
            throw ExportError("\(path.wireText) cannot be written", error as? Errno ?? .ioError)
        }
    }
}

extension ExportError {
    /// - Parameter what: what could not be done, without a full stop.
    init(_ what: String, _ reason: Errno) {
        let isFull = reason == .noSpace || reason == .diskQuotaExceeded
        self.init(isFull ? .diskFull : .badInput, "\(what): \(reason).")
    }
}
