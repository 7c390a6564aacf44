import ArgumentParser
import Rushes
import SystemPackage

/// What becomes of a movie when it is written.
struct FinishingOptions: ParsableArguments {
    @Flag(help: "Decode every frame of the output before it gets its name.") var verify = false
    @Flag(help: "Put the index in front, for players that read over a network.") var fastStart = false
    @Flag(help: "Replace the file if it exists; the old one stays until the new one is complete.") var overwrite = false

    func apply(to settings: inout ExportSettings) {
        settings.verification = verify ? .full : .quick
        settings.fastStart = fastStart
    }

    func destination(_ path: String) -> MovieDestination {
        MovieDestination(FilePath(typed: path), replacesExisting: overwrite)
    }
}
