import Errors
import FileSystem
import Foundation
import MovieFiles
import SystemPackage

/// A value in a file of JSON: a reader sees the old one or the new one, also after a power cut.
enum AtomicJSONFile {
    /// - Throws: `Errno`; `DecodingError` where it holds something else.
    static func read<Value: Decodable>(_ name: String, in folder: FolderDescriptor) throws -> Value {
        try JSONDecoder().decode(Value.self, from: folder.contents(of: name))
    }

    /// - Throws: `noSpace` where there is no room; the old value is still there.
    static func write(_ value: some Encodable, to name: String, in folder: FolderDescriptor) throws(Errno) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        guard let data = try? encoder.encode(value) else { throw .ioError }
        guard let name = FilePath.Component(name) else { throw .invalidArgument }
        try folder.replaceFile(
            name, with: data, permissions: [.ownerReadWrite, .groupRead, .otherRead], isLasting: true)
    }
}

extension RushesError {
    /// - Parameter what: what could not be done, without a full stop.
    init(_ what: String, _ reason: Errno) {
        let isFull = reason == .noSpace || reason == .diskQuotaExceeded
        self.init(isFull ? .diskFull : .badInput, "\(what): \(reason).", underlying: reason)
    }
}
