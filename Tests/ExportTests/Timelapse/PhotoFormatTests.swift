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

    @Test(arguments: Kind.allCases) func `they are read, in the order of their times`(_ kind: Kind) async throws {
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

    /// The frames as ImageMagick turns them.
    @Test(
        arguments: [
            (Kind.tif, 2), (.tif, 4), (.tif, 5), (.tif, 6), (.tif, 7), (.tif, 8), (.png, 6), (.webp, 8), (.dng, 6),
            (.dng, 8), (.dng, 3), (.previewed, 6),
        ]) func `they are turned as they say`(_ kind: Kind, _ orientation: Int) async throws
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
