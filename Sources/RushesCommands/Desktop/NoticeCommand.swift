import ArgumentParser
import DesktopActivity
import Foundation

/// `rushes notice`: shows the notification of an end, and stays for the click on it. Started by takes, not by people.
struct NoticeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notice", abstract: "Show the notification of an end.", shouldDisplay: false)

    @Argument(help: "The notice as JSON.") var notice: String

    func run() async throws {
        guard let notice = try? JSONDecoder().decode(LastNotice.self, from: Data(notice.utf8)) else {
            throw ValidationError("The notice is JSON as a take writes it.")
        }
        await notice.show()
    }

    /// Starts it as a process that outlives this one.
    static func start(_ notice: LastNotice) -> Bool {
        guard let text = try? JSONText.line(notice) else { return false }
        return DetachedProcess.start("/proc/self/exe", ["rushes", "notice", "--", text])
    }
}
