import Foundation
import Imaging
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Photos

@Suite struct PhotoOrderTests {
    @Test func `numbers in names are numbers`() {
        let names = ["shot 10.jpg", "Shot 9.jpg", "shot 1.jpg", "b.jpg", "a.jpg", "shot 010.jpg"]
        #expect(
            names.sorted { PhotoOrder.isBefore($0, $1) }
                == ["a.jpg", "b.jpg", "shot 1.jpg", "Shot 9.jpg", "shot 010.jpg", "shot 10.jpg"])
    }

    @Test func `dates count from 1970, with thousandths`() throws {
        #expect(PhotoDate("1970:01:01 00:00:00")?.milliseconds == 0)
        #expect(PhotoDate("2024:02:29 23:59:59", fraction: "5")?.milliseconds == 1_709_251_199_500)
        #expect(PhotoDate("2026:11:21 14:03:22", fraction: "0421")?.milliseconds == 1_795_269_802_042)
        for text in ["0000:00:00 00:00:00", "    :  :     :  :  ", "2026-11-21", "", "2026:13:01 00:00:00"] {
            #expect(PhotoDate(text) == nil, "\(text)")
        }
    }

    @Test func `times are those of one clock where all photos tell their zone`() throws {
        func date(_ clock: String, _ zone: String?) throws -> PhotoDate {
            try #require(PhotoDate("1970:01:02 \(clock):00", zone: zone))
        }
        #expect(try date("00:00", "-05:30").secondsFromGMT == -19_800)
        for zone in ["   :  ", "", "Z", "+1:00", "+25:00", "+01:70", "+01"] {
            #expect(try date("00:00", zone).secondsFromGMT == nil, "\(zone)")
        }
        let known = [try date("02:50", "+02:00"), try date("02:00", "+01:00")]
        #expect(PhotoDate.times(of: known) == [89_400_000, 90_000_000])
        let some = known + [try date("02:00", nil)]
        #expect(PhotoDate.times(of: some) == [96_600_000, 93_600_000, 93_600_000])
    }

    @Test(.requires(tool: "exiftool", package: "libimage-exiftool-perl"), .requires(tool: "ffmpeg", package: "ffmpeg"))
    func `cameras' times go before names, down to parts of a second`() async throws {
        let folder = try TemporaryFolder()
        let names = ["c.jpg", "a.jpg", "b.jpg"]
        for (index, name) in names.enumerated() {
            let path = folder.file(name)
            try await Fixtures.make(
                path, "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48", "-frames:v", "1"])
            _ = try await Tool.succeed(
                "exiftool",
                ["-q", "-overwrite_original", "-DateTimeOriginal=2026:11:21 14:03:22", "-SubSecTimeOriginal=\(index)5"]
                    + ["-Orientation#=6", path])
        }
        let photos = try names.reversed().map { try PhotoFile(FilePath(folder.file($0))) }
        #expect(PhotoOrder.sorted(photos).map { $0.path.lastComponent?.string } == names)
        #expect(photos[0].orientation.rotation == .quarter && photos[0].shownSize?.width == 48)
        _ = try await Tool.succeed("exiftool", ["-q", "-overwrite_original", "-all=", folder.file("b.jpg")])
        let some = try names.map { try PhotoFile(FilePath(folder.file($0))) }
        #expect(PhotoOrder.sorted(some).map { $0.path.lastComponent?.string } == names.sorted())
    }
}
