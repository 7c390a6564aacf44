import Imaging
import ArgumentParser
import Encoding
import Export
import Foundation
import Rushes
import SystemPackage

/// What is done to the frames of a timelapse, and what is made of them beside it.
struct TimelapseLookOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Makes each frame of several: of a video, all that a shutter open for an angle of up to 360deg sees; of photos, that \
            many, such as 4.
            """, valueName: "angle|count"))
    var blend: BlendArgument?

    @Option(
        help: ArgumentHelp(
            "Shows this part of the first frame, moving slowly to --pan-to's of the last.",
            valueName: "x=%,y=%,width=%"))
    var panFrom: FrameAreaArgument?

    @Option(
        help: ArgumentHelp(
            "Shows this part of the last frame; all of it if only --pan-from is given.",
            valueName: "x=%,y=%,width=%"))
    var panTo: FrameAreaArgument?

    @Option(
        help: ArgumentHelp("Applies a .cube look-up table to the colors of all frames.", valueName: "file.cube"),
        completion: .file(extensions: ["cube"]), transform: localPath)
    var lut: String?

    @Option(
        help: ArgumentHelp(
            "Draws when each frame was taken into its corner, such as '%F %R' for 2026-06-21 04:43.",
            valueName: "format"))
    var stamp: String?

    @Option(
        help: ArgumentHelp(
            "Also writes an image with one column of each frame: the day at a glance.", valueName: "file.png"),
        completion: .file(extensions: ["png"]), transform: localPath)
    var keogram: String?

    @Option(
        help: ArgumentHelp(
            "Also writes an image of what was brightest in all dark frames: star trails.", valueName: "file.png"),
        completion: .file(extensions: ["png"]), transform: localPath)
    var trails: String?

    func validate() throws {
        for (option, image) in [("--keogram", keogram), ("--trails", trails)] {
            guard let image, !image.lowercased().hasSuffix(".png") else { continue }
            throw ValidationError("\(option) writes a PNG; end \(image) in .png.")
        }
        if let stamp, stamp.trimmingCharacters(in: .whitespaces).isEmpty {
            throw ValidationError("--stamp is empty; give it a format such as '%F %R', or leave it out.")
        }
        func place(_ name: String) -> FilePath { FilePath(typed: name).absolute.lexicallyNormalized() }
        if let keogram, let trails, place(keogram) == place(trails) {
            throw ValidationError("--keogram and --trails name the same file; give each its own.")
        }
    }

    /// Which of them are given that no camera has.
    var forFiles: [String] {
        [("--blend", blend != nil), ("--pan-from", panFrom != nil), ("--pan-to", panTo != nil)].filter(\.1).map(\.0)
    }
    /// Which images are asked for.
    var givenImages: [String] {
        [("--keogram", keogram != nil), ("--trails", trails != nil)].filter(\.1).map(\.0)
    }
    /// Whether anything is done to the frames.
    var changesFrames: Bool { !forFiles.isEmpty || !givenImages.isEmpty || stamp != nil || lut != nil }

    /// - Parameter replacesExisting: whether images of these names go for them.
    func look(replacesExisting: Bool) -> TimelapseLook {
        var look = TimelapseLook()
        (look.blend, look.stamp) = (blend?.blend, stamp)
        if panFrom != nil || panTo != nil { look.pan = .init(from: panFrom.area, to: panTo.area) }
        look.keogram = keogram.map { MovieDestination(FilePath(typed: $0), replacesExisting: replacesExisting) }
        look.trails = trails.map { MovieDestination(FilePath(typed: $0), replacesExisting: replacesExisting) }
        return look
    }
}

extension FrameAreaArgument? {
    /// All of the frame where nothing is said.
    fileprivate var area: FrameArea { self?.area ?? .whole }
}

/// `180deg` or `180°`, or a number of photos.
struct BlendArgument: ExpressibleByArgument, Sendable, Equatable {
    var blend: TimelapseLook.Blend

    /// - Returns: `nil` for another text, an angle of 0 or above 360, and less than two photos.
    init?(argument: String) {
        for ending in ["deg", "°"] where argument.hasSuffix(ending) {
            guard let degrees = Double(argument.dropLast(ending.count)), degrees > 0, degrees <= 360 else { return nil }
            blend = .shutter(degrees: degrees)
            return
        }
        guard let count = Int(argument), (2...1000).contains(count) else { return nil }
        blend = .photos(count)
    }
}

/// Speeds and from when on they hold: `20x,200x@5m,20x@10m`.
struct RampArgument: ExpressibleByArgument, Sendable, Equatable {
    var points: [SpeedPoint] = []

    /// - Returns: `nil` for another text, for less than two speeds, and for times that are not in order.
    init?(argument: String) {
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "@", omittingEmptySubsequences: false)
            guard (1...2).contains(sides.count), let speed = SpeedArgument(argument: String(sides[0])) else {
                return nil
            }
            var time = MediaTime.zero
            if sides.count == 2 {
                guard let span = TimeSpan(argument: String(sides[1])) else { return nil }
                time = span.time
            }
            if let last = points.last, time <= last.time { return nil }
            points.append(SpeedPoint(speed.factor, at: time))
        }
        if points.count < 2 { return nil }
    }
}
