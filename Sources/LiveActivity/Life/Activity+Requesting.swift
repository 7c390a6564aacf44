public import Foundation

extension Activity {
    /// Starts an activity.
    ///
    /// - Parameters:
    ///   - content: what it shows first. Text that does not fit 4 KB is shortened, for the work goes on whatever it says.
    ///   - start: when it is to start; until then it is ``ActivityState/pending`` and nobody hears of it. `nil`: now.
    ///   - center: whose activity it is; a program has one center.
    /// - Throws: ``ActivityAuthorizationError/attributesTooLarge``.
    public static func request(
        kind: ActivityKind, attributes: ActivityAttributes, content: ActivityContent, start: Date? = nil,
        in center: ActivityCenter = .shared
    ) throws(ActivityAuthorizationError) -> Activity {
        try center.request(kind: kind, attributes: attributes, content: content, start: start)
    }

    /// This process's activities that are not dismissed, the most relevant first.
    public static var activities: [Activity] { ActivityCenter.shared.activities }

    /// Every activity of this process that is not dismissed, and then each new one.
    public static var activityUpdates: AsyncStream<Activity> { ActivityCenter.shared.activityUpdates }
}
