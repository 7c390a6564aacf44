import Encoding
import Foundation
import MovieFiles
import SystemPackage

/// What earlier runs of a timelapse have shot, as its movies tell: a duration counts from the first shot of all, a length counts all.
struct EarlierShots: Sendable {
    /// When the first shot was taken; `nil` where no movie tells.
    let begin: MovieDate?
    /// Shots in movies that no more are added to.
    let count: Int

    /// Reads movies. Blocks.
    ///
    /// - Parameters:
    ///   - paths: of those that no more shots are added to.
    ///   - date: of the one that goes on.
    init(in paths: [FilePath], and date: MovieDate? = nil) {
        var (begin, count) = (date, 0)
        // One at a time: the index of a day's movie has thousands of shots.
        for path in paths {
            guard let movie = try? ContinuedMovie(path) else { continue }
            count += movie.frameCount
            if let own = movie.creationDate, begin.map({ own.date < $0.date }) ?? true { begin = own }
        }
        (self.begin, self.count) = (begin, count)
    }

    /// Finds those that no more shots are added to: the parts before the one that goes on, and where each day has a movie those of the
    /// days before, as long as no day is missing. Blocks.
    ///
    /// - Parameters:
    ///   - destination: of what is shot now, without a number.
    ///   - number: of the part that goes on, or comes next.
    ///   - day: of the movie that goes on; `nil` where days have no movies of their own.
    ///   - whole: as it was asked for, without a day.
    static func movies(
        before number: Int, of destination: MovieDestination, day: String?, _ whole: MovieDestination
    ) -> [FilePath] {
        let parts = OpenMovies.parts(before: number, of: destination)
        guard let day else { return parts }
        let names = ShootingDay.names(beside: whole)
        var (earlier, next) = ([FilePath](), day)
        while true {
            let files = ShootingDay.files(names, of: whole.path, before: next)
            guard let before = ShootingDay.name(before: next),
                files.contains(where: { $0.lastComponent?.string.contains(before) == true })
            else { break }
            (earlier, next) = (earlier + files, before)
        }
        return earlier + parts
    }
}
