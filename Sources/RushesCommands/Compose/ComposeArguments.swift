import ArgumentParser
import Export
import Imaging
import Rushes

/// `--align`: how an inset's place in time is found.
struct AlignmentArgument: ExpressibleByArgument, Sendable, Equatable {
    let alignment: MovieComposition.Alignment

    init?(argument: String) {
        switch argument {
        case "auto": alignment = .automatic
        case "dates": alignment = .dates
        case "timecode": alignment = .timeCode
        case "audio": alignment = .audio
        default:
            guard let span = SignedTimeSpan(argument: argument) else { return nil }
            alignment = .offset(span.time)
        }
    }

    static let allValueStrings = ["auto", "dates", "timecode", "audio"]
}

/// `--audio-from`: whose audio a composition has.
enum AudioOriginArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    case main, inset, both

    var origin: MovieComposition.AudioOrigin {
        switch self {
        case .main: .movie(0)
        case .inset: .movie(1)
        case .both: .mixed
        }
    }
}

/// `--layout`: a layout, and from when on: `top-left,size=30%@1m30s`.
struct TimedLayout: Sendable, Equatable {
    let layout: Layout
    /// From the main movie's beginning; `nil`: from the beginning on.
    let time: MediaTime?

    /// - Throws: a `ValidationError` that says what is wrong with it.
    init(_ text: String) throws {
        guard let at = text.lastIndex(of: "@") else {
            (layout, time) = (try LayoutArgument.layout(text), nil)
            return
        }
        guard let span = TimeSpan(String(text[text.index(after: at)...])) else {
            throw ValidationError("'\(text[at...])' is not a time; write it as in top-left@1m30s.")
        }
        (layout, time) = (try LayoutArgument.layout(String(text[..<at])), span.time)
    }
}
