import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Photos of all kinds but JPEG, which show their numbers: decoded, in the order of the times that they tell, turned as they say.
@Suite(
    .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg"),
    .requires(tool: "convert", package: "imagemagick"), .requires(tool: "heif-enc", package: "libheif-examples"),
    .requires(tool: "exiftool", package: "libimage-exiftool-perl"))
struct PhotoFormatTests {
    /// How one is made.
    enum Kind: String, CaseIterable, Sendable {
        case png, webp, tif, heic, dng
        /// A TIFF of 16 bits, with alpha, packed.
        case deep
        /// A raw one that has its camera's JPEG, and whose sensor saw nothing.
        case previewed

        var ending: String {
            switch self {
            case .deep: "tiff"
            case .previewed: "dng"
            default: rawValue
            }
        }
    }

    private func photo(_ kind: Kind, of image: String, to path: String) async throws {
        switch kind {
        case .png, .tif: _ = try await Tool.succeed("convert", [image, path])
        case .webp: _ = try await Tool.succeed("convert", [image, "-define", "webp:lossless=true", path])
        case .deep:
            _ = try await Tool.succeed("convert", [image, "-alpha", "set", "-depth", "16", "-compress", "Zip", path])
        case .heic: _ = try await Tool.succeed("heif-enc", ["-q", "90", image, "-o", path])
        case .dng: try await MadeDNG.make(path, of: image, width: 320, height: 240)
        case .previewed:
            let jpeg = try await Tool.succeed("convert", [image, "-resize", "160x120!", "jpeg:-"]).output
            try await MadeDNG.make(path, of: "xc:black", width: 320, height: 240, preview: (Array(jpeg), 160, 120))
        }
    }

    /// Images "made/0.png" and so on, 160 by 120.
    private func images(_ count: Int, in movie: MadeMovie) async throws {
        try FileManager.default.createDirectory(
            atPath: movie.folder.file("made"), withIntermediateDirectories: true)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-frames:v", "\(count)", "-start_number", "0"]
                + [movie.folder.file("made/%d.png")])
    }

    @Test(arguments: Cases.taken(of: Kind.allCases))
    func `they are read, in the order of their times`(_ kind: Kind) async throws {
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        try await images(4, in: movie)
        for number in 0..<4 {
            let path = movie.folder.file("shot\(number).\(kind.ending)")
            try await photo(kind, of: movie.folder.file("made/\(number).png"), to: path)
            // The other way round, the last two within a second.
            let (second, fraction) = [(9, 0), (8, 0), (7, 50), (7, 25)][number]
            _ = try await Tool.succeed(
                "exiftool",
                ["-q", "-overwrite_original", "-DateTimeOriginal=2026:11:21 06:00:0\(second)"]
                    + ["-SubSecTimeOriginal=\(fraction)", path])
        }
        // One that is cut off is named; of a raw one that has a JPEG, which comes first in it, that is shown.
        let whole = try Data(contentsOf: URL(filePath: movie.folder.file("shot1.\(kind.ending)")))
        let broken = movie.folder.file("shot4.\(kind.ending)")
        try whole.prefix(whole.count / 3).write(to: URL(filePath: broken))
        _ = try? await Tool.run(
            "exiftool",
            ["-q", "-overwrite_original", "-DateTimeOriginal=2026:11:21 07:00:00", broken])
        let result = try await movie.timelapse(of: ["."])
        let order = try await movie.frames(of: "out.mp4")
        #expect(
            Set(order) == [0, 1, 2, 3] && result.frames == (kind == .previewed ? 5 : 4), "\(order), \(result.notes)")
        #expect(
            kind == .previewed || result.notes.contains { $0.hasPrefix("1 of 5 photos were skipped: shot4") },
            "\(result.notes)")
        try FileManager.default.removeItem(atPath: broken)
        _ = try await movie.timelapse(of: ["."])
        #expect(try await movie.frames(of: "out.mp4") == [3, 2, 1, 0])
    }

    /// By ImageMagick's names; the last is laid out in several passes.
    @Test(
        arguments: [
            ("png", ["-depth", "8", "PNG24"]), ("png", ["-depth", "16", "PNG48"]), ("png", ["-depth", "16", "PNG64"]),
            ("png", ["-colors", "200", "PNG8"]), ("tif", ["-depth", "16", "TIFF"]), ("tif", ["-depth", "8", "TIFF"]),
            ("webp", ["-define", "webp:lossless=true", "WEBP"]),
            ("png", ["-interlace", "PNG", "-depth", "16", "PNG48"]),
        ]) func `colors are as they were, with 16 bits as with 8`(_ ending: String, _ kind: [String]) async throws
    {
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        let made = movie.folder.file("made.png")
        // Evenly colored by quarters: only the colors count.
        _ = try await Tool.succeed(
            "convert",
            ["-size", "160x120", "xc:#008000", "-fill", "#c04020", "-draw", "rectangle 80,0 160,60"]
                + ["-fill", "#2040d0", "-draw", "rectangle 0,60 80,120", "-depth", "8", "PNG24:\(made)"])
        let names = ["a", "b"].map { "\($0).\(ending)" }
        for name in names {
            _ = try await Tool.succeed(
                "convert", [made] + kind.dropLast() + ["\(kind.last ?? ""):\(movie.folder.file(name))"])
        }
        let result = try await movie.timelapse(of: names)
        let similarity = try await FFmpeg.psnr(of: movie.folder.file("out.mp4"), reference: made)
        #expect(result.frames == 2 && similarity > 30, "\(similarity) \(result.notes)")
    }

    @Test(.requires(tool: "exiftool", package: "libimage-exiftool-perl"), arguments: ["jpg", "png", "tif", "webp"])
    func `colors of a wider space are told, and sRGB is not`(_ ending: String) async throws {
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        try await images(4, in: movie)
        let p3 = MadeProfile.bytes(
            "Display P3", [[0.5151, 0.2412, -0.0011], [0.2919, 0.6922, 0.0419], [0.1572, 0.0666, 0.7841]])
        let srgb = MadeProfile.bytes(
            "mine", [[0.4360, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]])
        for (number, profile) in [p3, p3, srgb, nil].enumerated() {
            let path = movie.folder.file("\(number).\(ending)")
            var options: [String] = []
            if let profile {
                try Data(profile).write(to: URL(filePath: movie.folder.file("made.icc")))
                options = ["-profile", movie.folder.file("made.icc")]
            }
            _ = try await Tool.succeed(
                "convert",
                [movie.folder.file("made/\(number).png")] + options + ["-quality", "100"]
                    // Else it would be gray, and have no such profile.
                    + [ending == "png" ? "PNG24:\(path)" : path])
        }
        let result = try await movie.timelapse(of: ["."])
        let words = "2 of 4 photos have the colors of Display P3, and are shown as if they were sRGB's."
        #expect(result.notes.filter { $0.contains("colors of") } == [words], "\(result.notes)")
    }

    @Test func `the colors of print are told, and no photo is called damaged for them`() async throws {
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        try await images(3, in: movie)
        for number in 0..<3 {
            _ = try await Tool.succeed(
                "convert",
                [movie.folder.file("made/\(number).png"), "-quality", "95", movie.folder.file("\(number).jpg")])
        }
        let print = ["-colorspace", "CMYK", "-depth"]
        for (name, depth) in [("3.jpg", "8"), ("4.tif", "16"), ("5.tif", "8")] {
            _ = try await Tool.succeed(
                "convert", [movie.folder.file("made/2.png")] + print + [depth, movie.folder.file(name)])
        }
        let result = try await movie.timelapse(of: ["."])
        #expect(try await movie.frames(of: "out.mp4") == [0, 1, 2, 2])
        let note = try #require(result.notes.first { $0.hasPrefix("2 of 6 photos were skipped") }, "\(result.notes)")
        for name in ["3.jpg", "4.tif"] {
            #expect(note.contains("\(name) (its colors are those of print (CMYK); convert it to RGB)"), "\(note)")
        }
    }

    /// The frames as ImageMagick turns them.
    @Test(
        arguments: Cases.taken(of: [
            (Kind.tif, 2), (.tif, 4), (.tif, 5), (.tif, 6), (.tif, 7), (.tif, 8), (.png, 6), (.webp, 8), (.dng, 6),
            (.dng, 8), (.dng, 3), (.previewed, 6),
        ])) func `they are turned as they say`(_ kind: Kind, _ orientation: Int) async throws
    {
        let folder = try TemporaryFolder()
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        let scene = folder.file("scene.png")
        _ = try await Tool.succeed(
            "convert",
            ["-size", "160x120", "gradient:white-black", "-fill", "gray70", "-draw", "rectangle 10,10 60,50", scene])
        for name in ["a", "b"] {
            let path = movie.folder.file("\(name).\(kind.ending)")
            try await photo(kind, of: scene, to: path)
            _ = try await Tool.succeed(
                "exiftool", ["-q", "-overwrite_original", "-IFD0:Orientation#=\(orientation)", path])
        }
        // As JPEGs they are known to be turned rightly.
        _ = try await Tool.succeed("convert", [scene, "-quality", "95", folder.file("turned.jpg")])
        _ = try await Tool.succeed(
            "exiftool", ["-q", "-overwrite_original", "-Orientation#=\(orientation)", folder.file("turned.jpg")])
        _ = try await Tool.succeed("convert", [folder.file("turned.jpg"), "-auto-orient", folder.file("turned.png")])
        let result = try await movie.timelapse(of: ["a.\(kind.ending)", "b.\(kind.ending)"])
        let similarity = try await FFmpeg.psnr(
            of: movie.folder.file("out.mp4"), reference: folder.file("turned.png"))
        // A sensor's values get another curve than the image's.
        #expect(result.frames == 2 && similarity > (kind == .dng ? 14 : 30), "\(similarity) \(result.notes)")
    }
}
