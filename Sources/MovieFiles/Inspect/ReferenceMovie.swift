package import SystemPackage

/// A QuickTime movie without media of its own: its frames and audio lie in other files, which it refers to (QuickTime File Format, "Data
/// Reference Atoms").
package enum ReferenceMovie {
    /// What a message says of it.
    package static let refusal =
        "has no frames or audio of its own, but refers to other files; open those, or save it as a self-contained movie with what made it"

    /// Blocks.
    ///
    /// - Throws: `notAMovie`, `malformed`, `notAFile`, `system`.
    package static func isOne(_ path: FilePath) throws(MovieFileError) -> Bool {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            let moov = try MovieContents(file).moov
            var isOne = false
            for trak in moov.all("trak") {
                guard let handler = try trak.descendant("mdia", "hdlr")?.handlerType(),
                    ["vide", "soun"].contains(handler)
                else { continue }
                guard try trak.refersToOtherFile() else { return false }
                isOne = true
            }
            return isOne
        }
    }
}
