import ArgumentParser
import Capture
import Imaging
import MovieFiles
import LiveActivity
import SystemPackage
import Threads

/// `rushes control`: asks something of work that runs in another process.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Control work that runs in another process: stop, pause, mark and more.",
        usage: "rushes control <id> <request> [<text>] [<file>] [<name=value> ...]",
        discussion: """
            Exports take pause, resume and cancel. A recording takes pause and resume, split, which continues in another \
            file without a gap, and stop: its file is then complete, as after Ctrl-C. One in .mov or .mp4 takes marks \
            too: each names the present place, and is a chapter of the movie. One of several cameras takes swap, \
            layout, which are those of 'rushes record --layout', and show: main or inset alone, or all again. A timelapse from a \
            camera takes pause, resume, stop and snapshot, which saves its last shot.

            One that deletes its oldest files (rushes record --keep) takes pin: the file that it is writing is kept.

            A recording takes snapshot too: the frame that was to be seen at that moment, in full size, as JPEG or PNG with its date and \
            place, beside the movie as "take – photo.jpg" if no file is named. A number before that takes so many frames that \
            follow each other, to numbered files. Of several cameras it is the composed frame, or with a camera's name before all \
            that one's own. The recording loses none.

            A recording takes switch: another camera, named as in 'rushes record --camera', continues it, fitted into the same \
            movie; with no name the next one that 'rushes devices' lists. Of several cameras it takes the place of the main one, or of the one that is \
            named after it. Its audio is not interrupted. If the other one cannot be opened, the \
            recording continues as it was.

            A recording takes mute, and unmute: silence is recorded in a microphone's place, from one moment to the next. With no name all of its \
            microphones are meant.

            A recording takes set: controls of its main camera, as 'rushes devices --controls' lists them, in their own words or numbers; an \
            exposure may be relative, and a zoom move there; a camera without a zoom is cropped, up to 8x. A line says what the camera really took, and at the end all is as it was before.

            A recording that waits (rushes record --standby) takes start. One that keeps its last seconds in memory (--pre-roll or --replay) \
            takes save: they are written to a file of their own while all goes on, to "take – replay.mov" beside the movie if no file is named.

            EXAMPLES
              rushes control 3f2a91bc stop             the beginning of an id is enough
              rushes control 3f2a91bc mark "Question 2"
              rushes control 3f2a91bc layout top-left,size=30%
              rushes control 3f2a91bc swap             the inset becomes the main frame
              rushes control 3f2a91bc show inset       it alone; show all goes back
              rushes control 3f2a91bc snapshot now.jpg
              rushes control 3f2a91bc snapshot --moving goal.jpg   and goal.mov
              rushes control 3f2a91bc snapshot 20 goal.jpg   goal.jpg, goal 2.jpg and so on
              rushes control 3f2a91bc snapshot face face.jpg   one camera alone
              rushes control 3f2a91bc switch "HD Webcam,rotate=90"
              rushes control 3f2a91bc switch side face     side is shown where face was
              rushes control 3f2a91bc mute speakers    a part of its name is enough
              rushes control 3f2a91bc set exposure=-1ev gain=40
              rushes control 3f2a91bc set white-balance=5600 focus=auto
              rushes control 3f2a91bc set zoom=2 over 1s
              rushes control 3f2a91bc start            what --standby has prepared
              rushes control 3f2a91bc save 30s goal.mov
              rushes activities                        lists the ids
            """)

    @Argument(help: ArgumentHelp("The activity, as 'rushes activities' lists it.", valueName: "id"))
    var id: String

    @Argument(help: ArgumentHelp("What to ask of it.", valueName: "request"))
    var request: ActivityControl

    @Argument(
        help: ArgumentHelp(
            "A mark's name, numbered if left out; the layout; main, inset or all; the camera to switch to; the microphone to mute; a snapshot's file, or how many of them; how much is saved, all that is kept if left out; NAME=VALUE of each control that is set.",
            valueName: "text"))
    var text: String?

    @Argument(
        help: ArgumentHelp(
            "The file that the last seconds, or so many snapshots, are saved to; the camera whose place another one takes.",
            valueName: "file"))
    var file: String?

    @Argument(help: ArgumentHelp("More controls to set; a snapshot's file.", valueName: "name=value"))
    var more: [String] = []

    @Flag(
        help:
            "With snapshot: also a movie of about three seconds around it, with the same name; the recording has to keep them (--replay 5s)."
    )
    var moving = false

    func validate() throws {
        guard !moving || request == .snapshot else { throw ValidationError("--moving is for snapshot; leave it out.") }
        // It would be the beginning of every id.
        if id.isEmpty { throw ValidationError("The id is empty; 'rushes activities' lists them.") }
        if request == .set {
            do { _ = try DeviceControlRequest.requests(settings) } catch { throw ValidationError("\(error)") }
            return
        }
        if let extra = more.dropFirst(request == .snapshot ? 1 : 0).first {
            throw ValidationError("Too many arguments; leave out '\(extra)'.")
        }
        if let file, ![.save, .snapshot, .switchCamera].contains(request) {
            throw ValidationError("Only save, snapshot and switch take a second argument; leave out '\(file)'.")
        }
        switch request {
        case .mark, .mute, .unmute: break
        case .snapshot: try snapshot.check()
        case .save:
            if let text, (TimeSpan(text)?.duration ?? .zero) <= .zero {
                throw ValidationError("'\(text)' is not a duration; write 30s, say.")
            }
        case .switchCamera: if let text { _ = try CameraSwitch.check(text) }
        case .layout:
            guard let text, !text.isEmpty else {
                throw ValidationError("Say which layout: side-by-side, say, or top-left,size=30%.")
            }
            _ = try LayoutArgument.layout(text)
        case .show:
            guard ShownCameras(rawValue: text ?? "") != nil else {
                throw ValidationError("What can be shown is main, inset or all.")
            }
        default:
            if let text {
                throw ValidationError(
                    "Only mark, mute, unmute, layout, show, switch, snapshot, save and set take an argument; leave out '\(text)'."
                )
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
            let meant = living.first ?? records.first
            if request == .snapshot, meant?.attributes != nil, meant?.last.kind == .timelapse {
                try snapshot.checkSingle()
            }
            let wish = wish
            let answer = try await journal.control(meant?.id ?? id, request, text: wish)
            StandardStreams.printNote(
                answer
                    ?? ControlWords.done(
                        request, text: wish, title: meant?.attributes.title ?? id,
                        isPaused: meant?.last.contentState.phase == .paused))
        }
    }

    private var snapshot: SnapshotRequest {
        var wish = SnapshotRequest(words: [text, file].compactMap(\.self) + more)
        wish.isMoving = moving
        return wish
    }

    /// All that is to be set.
    private var settings: String { ([text, file].compactMap(\.self) + more).joined(separator: " ") }

    /// The text as it is sent: another process has another folder.
    private var wish: String? {
        func absolute(_ path: String) -> String { FilePath(typed: path).absolute.wireText }
        return switch request {
        case .snapshot: snapshot.resolved(absolute).text
        case .switchCamera: text.map { CameraSwitchRequest(camera: $0, place: file).text }
        case .set: settings
        // A name of spaces alone is none.
        case .mark: text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        case .save: text.map { text in file.map { "\(text) \(absolute($0))" } ?? text }
        default: text
        }
    }
}
