import Foundation
import MovieFiles
import SystemPackage

/// A value in a file of JSON: a reader sees the old one or the new one, also after a power cut.
enum LastingFile {
    /// - Throws: `Errno`; `DecodingError` where it holds something else.
    static func read<Value: Decodable>(_ name: String, in folder: OpenFolder) throws -> Value {
        let file = try folder.file(name, O_RDONLY)
        let data = try file.closeAfter { try FileHandle(fileDescriptor: file.rawValue).readToEnd() ?? Data() }
        return try JSONDecoder().decode(Value.self, from: data)
    }

    /// - Throws: `noSpace` where there is no room; the old value is still there.
    static func write(_ value: some Encodable, to name: String, in folder: OpenFolder) throws(Errno) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        guard let data = try? encoder.encode(value) else { throw .ioError }
        let draftName = FilePath(name).stem.map { "\($0).tmp" } ?? "draft.tmp"
        guard let draft = FilePath.Component(draftName) else { throw .invalidArgument }
        // What a killed process has left, or a link that somebody put there: neither is written through.
        folder.removeFile(draft)
        do {
            let file = try folder.file(draftName, O_WRONLY | O_CREAT | O_EXCL)
            try file.closeAfter {
                try file.writeAll(data)
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
            try folder.rename(draftName, to: name)
            folder.synchronize()
        } catch {
            folder.removeFile(draft)
            throw error as? Errno ?? .ioError
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
