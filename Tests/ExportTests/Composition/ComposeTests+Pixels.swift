import Encoding
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Movies whose pixels are of another shape, or whose light is another, than the main movie's.
extension ComposeTests {
    private static let codec = "-c:v libx264 -preset ultrafast -an"

    /// Luma of the second frame, row after row, of 8 bits or of 10.
    private func luma(_ movie: MadeMovie, _ name: String, _ format: String) async throws -> [UInt8] {
        let arguments = ["-nostdin", "-v", "error", "-i", movie.folder.file(name), "-vf", "select=eq(n\\,1)"]
        return Array(
            try await Tool.succeed("ffmpeg", arguments + ["-frames:v", "1", "-pix_fmt", format, "-f", "rawvideo", "-"])
                .output)
    }

    /// The columns and rows in which white was drawn into a frame of black.
    private func drawn(_ luma: [UInt8], width: Int) -> (columns: Range<Int>, rows: Range<Int>) {
        let places = luma.indices.filter { luma[$0] > 128 }
        let (x, y) = (places.map { $0 % width }, places.map { $0 / width })
        return ((x.min() ?? 0)..<(x.max() ?? 0) + 1, (y.min() ?? 0)..<(y.max() ?? 0) + 1)
    }

    /// PAL's 16:9 has 5:4 of pixels: an inset of it has the shape that players show, and so has one of square pixels in a main movie of it.
    @Test(arguments: [
        ("640:360,setsar=1", "360:288,setsar=64/45", 320, 180),
        ("360:288,setsar=64/45", "320:240,setsar=1", 136, 144),
        ("360:288,setsar=64/45", "360:288,setsar=64/45", 180, 144),
    ])
    func `pixels that are not square are drawn as they are shown`(
        main: String, inset: String, width: Int, height: Int
    ) async throws {
        let black = try await MadeMovie(
            "main.mov", "-vf drawbox=t=fill:color=black,scale=\(main) \(Self.codec)", seconds: 0.4)
        let white = try await MadeMovie(
            "inset.mov", "-vf drawbox=t=fill:color=white,scale=\(inset) \(Self.codec)", seconds: 0.4)
        var composition = try composition(black, white, [(0, "bottom-right,size=50%,margin=0")])
        composition.alignment = .offset(.zero)
        _ = try await compose(composition, in: black)
        let whole = try #require(await FFProbe.inspect(black.folder.file("out.mp4")).video.first)
        let found = drawn(try await luma(black, "out.mp4", "gray"), width: try #require(whole.width))
        #expect(abs(found.columns.count - width) <= 2 && abs(found.rows.count - height) <= 2, "\(found)")
    }

    /// Ten thousand times as bright as black, white of PQ at 203 cd/m² is white of SDR.
    @Test func `an inset of HDR becomes SDR where the main movie is, and that is said; the other way is told`()
        async throws
    {
        let sdr = try await MadeMovie(
            "sdr.mov",
            "-vf drawbox=t=fill:color=white,scale=320:180,format=yuv420p \(Self.codec) -colorspace bt709 -color_primaries bt709 -color_trc bt709",
            seconds: 0.4)
        // 58 % of PQ is 203 cd/m².
        let hdr = try await MadeMovie(
            "hdr.mov",
            "-vf scale=320:180,format=yuv420p10le,geq=lum=573:cb=512:cr=512 -c:v libx265 -preset ultrafast -tag:v hvc1 -an -pix_fmt yuv420p10le "
                + "-x265-params log-level=none -colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084",
            seconds: 0.4)
        var mapped = try composition(sdr, hdr, [(0, "bottom-right,size=50%,margin=0")])
        mapped.alignment = .offset(.zero)
        let result = try await compose(mapped, in: sdr)
        #expect(
            result.notes.contains("hdr.mov is HDR (PQ), and tone-mapped to SDR as sdr.mov is."), "\(result.notes)")
        let values = try await luma(sdr, "out.mp4", "gray")
        #expect(values[170 * 320 + 300] > 215 && values[10 * 320 + 10] > 225, "\(values[170 * 320 + 300])")
        var kept = try composition(hdr, sdr, [(0, "bottom-right,size=50%,margin=0")])
        kept.alignment = .offset(.zero)
        let other = try await compose(kept, in: hdr)
        #expect(other.notes.contains { $0.hasPrefix("sdr.mov is SDR and hdr.mov HDR (PQ)") }, "\(other.notes)")
    }
}
