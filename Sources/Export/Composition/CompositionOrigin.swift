import Errors
import LiveActivity
import SystemPackage

/// Several movies, for a composition.
struct CompositionOrigin: ExportOrigin {
    let composition: MovieComposition

    var path: FilePath { composition.main }
    var inputs: [FilePath] { composition.paths }
    var kind: ActivityKind { .compose }

    func open() throws -> @Sendable () throws -> any ExportInput {
        guard (1...3).contains(composition.insets.count) else {
            throw RushesError(.invalidSettings, "A composition has one to three insets.")
        }
        if case .movie(let number) = composition.audio, !inputs.indices.contains(number) {
            throw RushesError(.invalidSettings, "There is no movie \(number) whose audio could be taken.")
        }
        let files = try inputs.map { path in
            do throws(RushesError) { return try InputFile(path) } catch { throw error.on(path.string) }
        }
        return { [composition] in
            let movies = try files.map { file in
                do throws(RushesError) { return try MovieInput(file) } catch { throw error.on(file.path.string) }
            }
            return CompositionInput(composition, movies)
        }
    }
}
