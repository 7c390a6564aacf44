import Foundation

/// The file of this program, for processes that run it too.
enum OwnProgram {
    /// Where it is now: an update that replaces it below a running process takes the name away, which then ends in " (deleted)"
    /// (proc(5)). The new one counts then, and where there is none, what this process runs.
    static var path: String {
        let own = "/proc/\(getpid())/exe"
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: own) else { return own }
        let mark = " (deleted)"
        let places = [target] + (target.hasSuffix(mark) ? [String(target.dropLast(mark.count))] : [])
        return places.first { access($0, X_OK) == 0 } ?? own
    }
}
