import Encoding
import FileSystem
import Foundation
import MovieFiles
import SystemPackage
import Threads

/// Movies of a timelapse that a kill has left open, and that no shots are added to any more: they are completed where they lie.
struct OpenMovies: Sendable {
    let paths: [FilePath]

    /// For all of one movie; the disk may be slow.
    private static let timeout = Duration.seconds(300)

    init(paths: [FilePath]) { self.paths = paths }

    /// Finds them. Blocks as long as the disk does.
    ///
    /// - Parameters:
    ///   - destination: of what is shot now, without a number.
    ///   - number: of the file that goes on, or comes next; those before it belong to the same day.
    ///   - day: of the movie that goes on; `nil` where days have no movies of their own.
    ///   - whole: as it was asked for, without a day.
    init(before number: Int, of destination: MovieDestination, day: String?, _ whole: MovieDestination) {
        let parts = Self.parts(before: number, of: destination)
        let days = day.map { ShootingDay.files(ShootingDay.names(beside: whole), of: whole.path, before: $0) }
        paths = (days ?? []) + parts
    }

    /// The files of one movie before the one that goes on.
    static func parts(before number: Int, of destination: MovieDestination) -> [FilePath] {
        (1..<max(1, number)).map { $0 == 1 ? destination.path : destination.part($0).path }
    }

    /// Completes those that need it, one after the other.
    ///
    /// - Returns: a sentence for each.
    func complete() async -> [String] {
        var words: [String] = []
        for path in paths {
            let told = await onOwnThread("rushes-recover", orAfter: Self.timeout, otherwise: nil) {
                Self.complete(path)
            }
            if let told { words.append(told) }
        }
        return words
    }

    private static func complete(_ path: FilePath) -> String? {
        guard !MovieDestination(path).isBeingWritten, (try? MovieRecovery.isNeeded(path)) == true else { return nil }
        do {
            let movie = try MovieRecovery.recover(path)
            let count = movie.framesRecovered
            return "\(path) had been left open; it is now complete, with \(count) \(count == 1 ? "shot" : "shots")."
        } catch { return "\(path) had been left open and could not be completed (\(error)); it plays as it is." }
    }
}
