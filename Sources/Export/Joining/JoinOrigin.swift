import Errors
import LiveActivity
import SystemPackage

/// Several movies, one behind the other.
struct JoinOrigin: ExportOrigin {
    let inputs: [FilePath]

    var path: FilePath { inputs[0] }
    var kind: ActivityKind { .transcode }

    func open() throws -> @Sendable () throws -> any ExportInput {
        let files = try inputs.map { path in
            do throws(RushesError) { return try InputFile(path) } catch { throw error.on(path.string) }
        }
        return {
            JoinInput(
                try files.map { file in
                    do throws(RushesError) { return try MovieInput(file) } catch { throw error.on(file.path.string) }
                })
        }
    }
}
