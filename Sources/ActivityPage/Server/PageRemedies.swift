package import LiveActivity

/// What can be done about work that has ended badly.
package enum PageRemedy: String, Sendable {
    /// Completes the movie of a recording that was killed.
    case recover
    /// Begins an export anew, as it was begun.
    case again
}

/// How the page's owner does it; the page itself knows neither movies nor commands.
package struct PageRemedies: Sendable {
    /// Which there are for an activity that has ended; only those have a button.
    let offers: @Sendable (ActivityEvent) async -> Set<PageRemedy>
    /// Does it and returns a sentence about it; what it throws is shown on the page.
    let apply: @Sendable (ActivityEvent, PageRemedy) async throws -> String

    package init(
        offers: @escaping @Sendable (ActivityEvent) async -> Set<PageRemedy>,
        apply: @escaping @Sendable (ActivityEvent, PageRemedy) async throws -> String
    ) {
        (self.offers, self.apply) = (offers, apply)
    }

    static let none = PageRemedies(offers: { _ in [] }, apply: { _, _ in "" })
}
