import ArgumentParser
import Imaging
import MovieFiles
import LiveActivity
import SystemPackage
import Threads

/// `rushes control`: asks something of work that runs in another process.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Ask something of work that runs in another process.",
        discussion: """
            Exports take pause, resume and cancel. A recording takes pause and resume, split, which goes on in another \
            file without a gap, and stop: its file is then complete, as after Ctrl-C. One in .mov or .mp4 takes marks \
            too: each names the present place, and is a chapter of the movie. One of several cameras takes swap, \
            layout, which are those of 'rushes record --layout', and show: main or inset alone, or all again. A timelapse from a \
            camera takes pause, resume, stop and snapshot, which saves its last shot.

            EXAMPLES
              rushes control 3f2a91bc stop             the beginning of an id is enough
              rushes control 3f2a91bc mark "Question 2"
              rushes control 3f2a91bc layout top-left,size=30%
              rushes control 3f2a91bc swap             the inset becomes the main frame
              rushes control 3f2a91bc show inset       it alone; show all goes back
              rushes control 3f2a91bc snapshot now.jpg
              rushes activities                        tells the ids
            """)

    @Argument(help: ArgumentHelp("The activity, as 'rushes activities' lists it.", valueName: "id"))
    var id: String

    @Argument(help: ArgumentHelp("What it is asked for.", valueName: "request"))
    var request: ActivityControl

    @Argument(
        help: ArgumentHelp(
            "A mark's name, numbered if left out; the layout; main, inset or all; a snapshot's file.", valueName: "text"
        ))
    var text: String?

    func validate() throws {
        // It would be the beginning of every id.
        if id.isEmpty { throw ValidationError("The id is empty; 'rushes activities' lists them.") }
        switch request {
        case .mark, .snapshot: break
        case .layout: _ = try LayoutArgument.layout(text ?? "")
        case .show:
            guard ShownCameras(rawValue: text ?? "") != nil else {
                throw ValidationError("What can be shown is main, inset or all.")
            }
        default:
            if let text {
                throw ValidationError("Only mark, layout, show and snapshot have a text; leave out '\(text)'.")
            }
        }
    }

    func run() async throws {
        try await reportingFailures(verbose: false) {
            let journal = ActivityJournal()
            let wanted = id.lowercased()
            let records = try await onOwnThread { try journal.activities() }.filter { $0.id.hasPrefix(wanted) }
            // What lives comes before what has ended: nobody means the latter.
            let living = records.filter { $0.last.event != .end }
            guard living.count < 2 else {
                throw ValidationError(
                    "'\(id)' is the beginning of \(living.count) ids; give more of it, as 'rushes activities --json' prints it."
                )
            }
            try await journal.control(
                (living.first ?? records.first)?.id ?? id, request,
                text: request == .snapshot ? text.map { FilePath(typed: $0).absolute.string } : text)
        }
    }
}
