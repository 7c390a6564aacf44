import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("MovieOrientation")
struct MovieOrientationTests {
    static let all = MovieOrientation.Rotation.allCases.flatMap { rotation in
        [false, true].map { MovieOrientation(rotation: rotation, isMirrored: $0) }
    }

    @Test("is read back from its own matrix, also when that scales", arguments: all)
    func roundTrip(_ orientation: MovieOrientation) {
        var matrix = TransformationMatrix(orientation, width: 1920 << 16, height: 1080 << 16)
        #expect(matrix.orientation == orientation)
        (matrix.a, matrix.b, matrix.c, matrix.d) = (matrix.a / 3, matrix.b / 3, matrix.c / 3, matrix.d / 3)
        #expect(matrix.orientation == orientation)
    }

    @Test("keeps the shown frame where x and y begin, as Apple's files do", arguments: all)
    func translation(_ orientation: MovieOrientation) {
        let matrix = TransformationMatrix(orientation, width: 1920 << 16, height: 1080 << 16)
        let corners = [(0, 0), (1920, 0), (0, 1080), (1920, 1080)].map { x, y in
            (
                (Int(matrix.a) * x + Int(matrix.c) * y + Int(matrix.tx)) >> 16,
                (Int(matrix.b) * x + Int(matrix.d) * y + Int(matrix.ty)) >> 16
            )
        }
        let (width, height) = orientation.swapsWidthAndHeight ? (1080, 1920) : (1920, 1080)
        #expect(corners.map(\.0).min() == 0)
        #expect(corners.map(\.1).min() == 0)
        #expect(corners.map(\.0).max() == width)
        #expect(corners.map(\.1).max() == height)
    }

    @Test("of a matrix of zeros is upright")
    func zeros() {
        #expect(TransformationMatrix(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0).orientation == .upright)
    }

    @Test("makes ffmpeg show the frame mirrored first, then turned clockwise", arguments: all)
    func pixels(_ orientation: MovieOrientation) async throws {
        let options = MovieFileWriter.Options(
            orientation: orientation, audioPriming: Recording.h264.audioPriming)
        let url = try await Recording.h264.written(options).url
        let turn =
            switch orientation.rotation {
            case .none: "null"
            case .quarter: "transpose=clock"
            case .half: "hflip,vflip"
            case .threeQuarters: "transpose=cclock"
            }
        let filter = (orientation.isMirrored ? "hflip," : "") + turn
        let shown = try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-i", url.path, "-frames:v", "2", "-map", "0:v", "-f", "framemd5", "-"]
        ).text
        let expected = try await Tool.succeed(
            "ffmpeg",
            [
                "-v", "error", "-noautorotate", "-i", url.path, "-frames:v", "2", "-map", "0:v", "-vf", filter,
                "-f", "framemd5", "-",
            ]
        ).text
        #expect(shown == expected)
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.video.first?.rotation == orientation.rotation.rawValue)
        #expect(info.video.first?.mirrored == orientation.isMirrored)
    }
}
