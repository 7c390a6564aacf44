import Errors
import FileSystem
import MovieFiles
import SystemPackage

/// What of the inputs is no item.
extension BatchPlan {
    static func noMovie(in folder: FilePath, _ includesSubfolders: Bool) -> RushesError {
        RushesError(
            .badInput,
            "There is no movie in the folder \(folder.wireText)"
                + (includesSubfolders ? " or below it." : "; its subfolders are searched only with \(Term.recursion)."))
    }

    /// - Returns: `nil` where nothing is left out.
    static func note(leavingOut files: [FilePath]) -> String? {
        let names = files.prefix(named).compactMap { $0.lastComponent.map { FilePath(root: nil, [$0]).wireText } }
        guard !names.isEmpty else { return nil }
        let more = files.count > named ? " and \(files.count - named) more" : ""
        return (files.count == 1 ? "A file of another kind is" : "\(files.count) files of other kinds are")
            + " left out: \(names.joined(separator: ", "))\(more)."
    }

    /// How many are called by their names.
    private static let named = 4

    /// The same without the items whose outputs are those of others before them, and which therefore fail.
    package var withoutClashes: BatchPlan {
        var plan = self
        var taken: Set<FilePath> = []
        plan.items = items.filter { taken.insert($0.name).inserted }
        return plan
    }

    /// Those items.
    var clashes: [BatchItem] {
        var taken: Set<FilePath> = []
        return items.filter { !taken.insert($0.name).inserted }
    }

    /// Why no file can have the name of an item's output.
    ///
    /// - Parameter longest: as many bytes the folder of the outputs gives a name.
    static func nameProblem(of item: BatchItem, longest: Int) -> String? {
        guard item.name.components.contains(where: { $0.bytes.count > longest }) else { return nil }
        return
            "\(item.input.wireText) has a name that is too long: that of its output would have more than the \(longest) bytes that a "
            + "file name can have; choose a shorter one."
    }
}

extension FilePath {
    /// As seen from a folder that it lies in, or is.
    func below(_ folder: FilePath) -> FilePath {
        FilePath(root: nil, components.dropFirst(folder.components.count))
    }
}
