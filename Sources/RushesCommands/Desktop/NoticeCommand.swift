import ArgumentParser
import DesktopActivity
import Foundation
import Threads

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

/// A program that goes on when this one ends, with nothing of this one's: no terminal, no output, no open file.
enum DetachedProcess {
    /// - Parameter arguments: with the name it is to see first.
    /// - Returns: whether it was started.
    static func start(_ program: String, _ arguments: [String]) -> Bool {
        // A pipe that it held open would keep its reader waiting: rushes record --json | jq.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
        return (try? NewProcess.start(program, arguments, .session)) != nil
    }
}
