import ArgumentParser
import Encoding
import Errors
package import Export
import Foundation
import LiveActivity
import MediaTypes
import SystemPackage
import Threads

/// `rushes snapshot`: frames of a movie as images.
struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Write a frame of a movie as an image.",
        discussion: """
            The image is the frame that is shown at that time: upright, in the proportions in which players show it, and with the movie's date, \
            place and camera. HDR is tone-mapped, and a line says so.

            With several times, or --every, the images have numbers: frame-001.jpg, frame-002.jpg; f%04d.jpg says where the number stands \
            and how many digits it has. --every begins with the first frame.

            --sheet 4x5 makes a contact sheet: one image of four columns and five rows, with frames at even distances over the whole movie.

            EXAMPLES
              rushes snapshot movie.mov --at 12s --output frame.jpg
              rushes snapshot movie.mov --at 1m30.5s --output frame.png
              rushes snapshot movie.mov --at -1s --output end.jpg
              rushes snapshot talk.mp4 --every 10s --output frame.jpg
              rushes snapshot talk.mp4 --at 1m --size 640 --output small.webp
              rushes snapshot talk.mp4 --sheet 4x5 --output sheet.jpg
            """)

    @Argument(help: "The movie.", completion: .file(), transform: localPath) var file: String
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "When the frame is shown: 90, 1.5s, 2m or 00:01:30.5; -1s is one second before the end; may be repeated. The first frame if left out.",
            valueName: "time"))
    var at: [SignedTimeSpan] = []
    @Option(help: ArgumentHelp("An image for each such length of the movie.", valueName: "time")) var every: TimeSpan?
    @Option(
        help: ArgumentHelp(
            "One image of so many columns and rows of frames, such as 4x5, and 400 frames at most.", valueName: "CxR"))
    var sheet: ContactSheetArgument?
    @Option(
        help: ArgumentHelp(
            "How large an image is, or each frame of a sheet (320 if left out): its width, 640x360 to fit into, or x360.",
            valueName: "size"))
    var size: ImageLimits?
    @Option(
        name: [.long, .short],
        help: ArgumentHelp("The image to write: .jpg, .jpeg, .png or .webp.", valueName: "file"), completion: .file(),
        transform: localPath)
    var output: String
    @Flag(help: "Replace images that exist; the old ones stay until the new ones are complete.") var overwrite = false
    @OptionGroup var progress: CopyProgressOptions

    func validate() throws {
        if sheet != nil, every != nil || !at.isEmpty {
            throw ValidationError("--sheet shows the whole movie; leave \(every == nil ? "--at" : "--every") out.")
        }
        if every != nil, !at.isEmpty { throw ValidationError("--every excludes --at; give one.") }
        if let every, every.duration < .milliseconds(1) {
            throw ValidationError("--every is at least 1ms.")
        }
    }

    func run() async throws {
        try await reportingFailures(verbose: false) {
            let (input, path) = (FilePath(typed: file), FilePath(typed: output))
            let generator = try await onOwnThread("rushes-input") { try ImageGenerator(of: input) }
            if let sheet { return try await write(sheet.grid, of: generator, to: path) }
            let times = try times(of: generator)
            let images = try times.enumerated().map { index, time in
                let name = times.count > 1 ? try Self.numbered(path, index + 1) : path
                return (time, MovieDestination(name, replacesExisting: overwrite))
            }
            try await onOwnThread("rushes-output") { try generator.check(images) }
            var told: Set<String> = []
            let display = CopyDisplay(file, verb: "reading", style: progress.style)
            do {
                try await generator.write(images, within: size, progress: display.show) { image in
                    for note in image.notes where told.insert(note).inserted { StandardStreams.printNote(note) }
                    StandardStreams.printNote("\(image.path): \(image.size).")
                }
                display.end(.finished)
            } catch {
                display.end(.failed)
                throw error
            }
        }
    }

    private func write(_ sheet: VideoSize, of generator: ImageGenerator, to path: FilePath) async throws {
        let destination = MovieDestination(path, replacesExisting: overwrite)
        try await onOwnThread("rushes-output") { try generator.check([(.zero, destination)]) }
        let display = CopyDisplay(file, verb: "reading", style: progress.style)
        do {
            let image = try await generator.writeSheet(
                sheet, size ?? ImageLimits(width: 320), to: destination, progress: display.show)
            display.end(.finished)
            for note in image.notes { StandardStreams.printNote(note) }
            StandardStreams.printNote("\(image.path): \(image.size).")
        } catch {
            display.end(.failed)
            throw error
        }
    }

    private func times(of generator: ImageGenerator) throws -> [MediaTime] {
        let (isMeasured, known) = (every != nil || at.contains(where: \.isNegative), generator.duration)
        guard let duration = known ?? (isMeasured ? nil : .zero) else {
            throw ValidationError("The length of \(file) is not known; name times from its beginning with --at.")
        }
        guard let every else {
            let times = at.map { $0.isNegative ? max(.zero, duration + $0.time) : $0.time }
            return times.isEmpty ? [.zero] : times.sorted()
        }
        let count = max(1, Int((duration.seconds / every.time.seconds).rounded(.up)))
        guard count <= Self.most else {
            throw ValidationError("--every \(every.time.seconds)s would be \(count) images; \(Self.most) are the most.")
        }
        return (0..<count).map { every.time * $0 }.filter { $0 < duration }
    }

    private static let most = 10_000

    /// "frame-001.jpg"; where a number stands in the name, "f%04d.jpg", with that alone.
    static func numbered(_ path: FilePath, _ number: Int) throws(RushesError) -> FilePath {
        if let name = path.lastComponent?.string, let names = try FileNameTemplate(name), names.hasNumber {
            return path.removingLastComponent().appending(names.name(number: number, at: Date()))
        }
        let (digits, ending) = (String(number), path.extension.map { ".\($0)" } ?? "")
        let zeros = String(repeating: "0", count: max(0, 3 - digits.count))
        return path.removingLastComponent().appending("\(path.stem ?? "")-\(zeros)\(digits)\(ending)")
    }
}

extension ImageLimits: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// The columns and rows of a contact sheet.
struct ContactSheetArgument: ExpressibleByArgument, Sendable {
    let grid: VideoSize

    private static let most = 400

    init?(argument: String) {
        guard let grid = VideoSize(argument), grid.pixels <= Self.most else { return nil }
        self.grid = grid
    }
}
