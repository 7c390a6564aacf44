import Foundation
import Rushes

/// Runs each example of the README and of the catalogue, in a folder that is empty at first:
///
///     Outside FOLDER
///
/// `scripts/lib/check-outside` looks at the movies, and sees to it that the examples are those that are printed.
@main struct Outside {
    static func main() async throws {
        let folder = CommandLine.arguments.dropFirst().first ?? "."
        for name in ["catalogue", "readme"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try enter("\(folder)/catalogue")
        try await recordInCatalogue()
        try enter("\(folder)/readme")
        try await record()
        try await export()
        try copy()
        try await followActivity()
        try enter("\(folder)/catalogue")
        try await useTheRest(of: "take.mov")
    }

    private static func enter(_ folder: String) throws {
        guard FileManager.default.changeCurrentDirectoryPath(folder) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: folder])
        }
    }
}
