package import Errors
package import MediaTypes
package import SystemPackage

/// Which parts of a movie are meant, before it is known which those are.
package enum PartChoice: Sendable, Hashable {
    case range(TimeRange)
    /// Chapters by their numbers, from 1; nil: all of them.
    case chapters([ClosedRange<Int>]?)
    /// All of it, in pieces of this length.
    case every(MediaTime)

    /// Whether they are all of the movie, which nobody joins.
    package var isWhole: Bool {
        switch self {
        case .range: false
        case .chapters(let numbers): numbers == nil
        case .every: true
        }
    }
}

extension PartChoice {
    /// The times of parts of a movie that are to be joined. Blocks where chapters are among them.
    ///
    /// - Throws: ``RushesError`` for a movie that cannot be read or has no such chapter, and where the parts are all of the movie.
    package static func joined(_ choices: [PartChoice], of path: FilePath) throws(RushesError) -> [TimeRange] {
        var (ranges, movie) = ([TimeRange](), SeparateParts.Movie?.none)
        for choice in choices {
            switch choice {
            case .range(let range): ranges.append(range)
            case .chapters(let numbers?):
                let known: SeparateParts.Movie
                if let movie { known = movie } else { known = .init(try MovieInput(try InputFile(path))) }
                movie = known
                ranges += try SeparateParts.ranges(ofChapters: numbers, of: known)
            case .chapters(nil), .every:
                throw RushesError(
                    .invalidSettings, "Joined, these parts are the whole movie again; \(Term.separating).")
            }
        }
        return ranges
    }
}
