import Alignment
import Encoding
import Errors
import Foundation
import MediaTypes
import MovieFiles

/// Finds where insets lie in the main movie, and says how.
struct MovieAlignment: Sendable {
    let main: MovieInput
    let status: ExportStatus

    /// A place, and where it is from: "by their dates".
    struct Found: Sendable {
        var place: InsetPlace
        var source: String
        /// Whether a person said it.
        var isGiven = false
    }

    /// - Throws: ``RushesError`` where that tells nothing, or the two do not overlap.
    func find(_ inset: MovieInput, by alignment: MovieComposition.Alignment) async throws -> Found {
        let found: Found
        switch alignment {
        case .automatic: return automatic(inset)
        case .offset(let time):
            found = Found(place: InsetPlace(offset: time.clamped), source: "as was said", isGiven: true)
        case .dates:
            guard let offset = byDates(inset) else { throw missing("date", in: inset) { dates($0) == nil } }
            found = offset
        case .timeCode:
            guard let offset = byTimeCode(inset) else {
                throw missing("time code", in: inset) { $0.properties.timeCode == nil }
            }
            found = offset
        case .audio: found = try await byAudio(inset)
        }
        guard overlaps(found, inset) else {
            throw RushesError(
                .invalidSettings, on: inset.displayName,
                "\(inset.fileName) lies wholly outside of \(main.fileName): it begins \(Self.words(found)); "
                    + "\(Term.aligningByTime), or \(Term.aligningByAudio).")
        }
        return found
    }

    /// What was found, in a sentence; `nil` where a person said it.
    static func note(_ found: Found, _ inset: MovieInput) -> String? {
        found.isGiven ? nil : "\(inset.fileName) begins \(words(found))."
    }

    private static func words(_ found: Found) -> String {
        let offset = found.place.offset
        let drift =
            found.place.scale == 1
            ? "" : String(format: ", its clock %.0f millionths off", (found.place.scale - 1) * 1e6)
        if offset.length < .millisecond { return "with the main movie, \(found.source)\(drift)" }
        let time = String(format: "%.3f s", offset.length.seconds)
        return "\(time) \(offset > .zero ? "after" : "before") the main movie, \(found.source)\(drift)"
    }

    private func automatic(_ inset: MovieInput) -> Found {
        let (code, date) = (byTimeCode(inset), byDates(inset))
        // Time codes do not say of which day they are. They are the local clock's, dates are not, so hours may differ.
        let isAnotherDay =
            if let code, let date { (code.place.offset - date.place.offset).length > 12 * 3600 * .second } else {
                false
            }
        for found in [isAnotherDay ? nil : code, date].compactMap(\.self) where overlaps(found, inset) {
            return found
        }
        return Found(place: InsetPlace(), source: "as neither time codes nor dates tell")
    }

    private func byTimeCode(_ inset: MovieInput) -> Found? {
        guard let own = main.properties.timeCode, let other = inset.properties.timeCode else { return nil }
        // Past midnight codes begin again.
        let difference = (other.timeOfDay - own.timeOfDay).seconds.remainder(dividingBy: 86_400)
        return Found(place: InsetPlace(offset: MediaTime(seconds: difference).clamped), source: "by their time codes")
    }

    private func byDates(_ inset: MovieInput) -> Found? {
        guard let own = dates(main), let other = dates(inset) else { return nil }
        return Found(
            place: InsetPlace(offset: MediaTime(seconds: other.timeIntervalSince(own)).clamped),
            source: "by their dates")
    }

    /// When it was made, where that can be true: a clock that nobody set begins in 1904 or 1970, and one without power tells anything.
    private func dates(_ movie: MovieInput) -> Date? {
        movie.properties.metadata.creationDate.map(\.date).flatMap { Self.plausible.contains($0) ? $0 : nil }
    }

    /// From the second day of 1970 to the end of 2199.
    private static let plausible = Date(timeIntervalSince1970: 86_400)..<Date(timeIntervalSince1970: 7_258_118_400)

    private func byAudio(_ inset: MovieInput) async throws -> Found {
        // Both at once: what decodes one seldom takes all cores.
        async let own = MovieListener(movie: main, status: status).curve()
        let other = try await MovieListener(movie: inset, status: status).curve()
        guard let found = AudioAlignment(try await own, other) else {
            throw RushesError(
                .invalidSettings,
                "\(main.fileName) and \(inset.fileName) have no sound in common to align them by; "
                    + "\(Term.aligningByTime).")
        }
        let confidence = "confidence \(Int((found.confidence * 100).rounded())) %"
        return Found(
            place: InsetPlace(offset: MediaTime(seconds: found.offset), scale: found.scale),
            source: "by their audio (\(confidence)\(found.isExact ? "" : ", to a hundredth of a second only"))")
    }

    private func overlaps(_ found: Found, _ inset: MovieInput) -> Bool {
        if let length = main.properties.duration, found.place.offset >= length { return false }
        guard let length = inset.properties.duration else { return true }
        return found.place.mainTime(of: length) > .zero
    }

    private func missing(_ what: String, in inset: MovieInput, _ isMissing: (MovieInput) -> Bool) -> RushesError {
        let movie = isMissing(main) ? main : inset
        return RushesError(
            .invalidSettings, on: movie.displayName,
            "\(movie.fileName) has no \(what) to align it by; \(Term.aligningByAudio), or \(Term.aligningByTime)."
        )
    }
}
