import Foundation
import TestSupport
import Testing

/// A track as action cameras write their telemetry: packets of a second each, which a `meta` track describes the video with.
struct MadeTelemetry {
    /// Where its packets are in the file's track.
    static func packet(_ second: Int) -> [UInt8] {
        Array("DEVC".utf8) + number(UInt32(second)) + [UInt8](repeating: UInt8(second), count: 100)
    }

    /// Puts one behind the others of a finished movie whose index is its last box.
    ///
    /// - Parameter shift: what an edit shows first of the track's time, in seconds.
    static func add(to path: String, seconds: Int, format: String = "gpmd", shift: UInt32 = 0) throws {
        var movie = Array(try Data(contentsOf: URL(filePath: path)))
        let begin = try #require(Data(movie).lastRange(of: Data("moov".utf8))).lowerBound - 4
        var moov = Array(movie[begin...])
        let header = try #require(Data(moov).firstRange(of: Data("mvhd".utf8))).upperBound
        let timescale = moov[header + 12..<header + 16].reduce(0) { $0 << 8 | UInt32($1) }
        let place = UInt32(begin + 8)
        let trak = trak(seconds: UInt32(seconds), at: place, timescale, format: format, shift: shift)
        moov.replaceSubrange(0..<4, with: number(UInt32(moov.count + trak.count)))
        movie.removeSubrange(begin...)
        movie += box("mdat", (0..<seconds).flatMap(packet)) + moov + trak
        try Data(movie).write(to: URL(filePath: path))
    }

    private static func trak(
        seconds: UInt32, at place: UInt32, _ timescale: UInt32, format: String, shift: UInt32
    ) -> [UInt8] {
        let shown = (seconds - shift) * timescale
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        let matrix: [UInt32] = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]
        let tkhd = full("tkhd", 3, numbers([0, 0, 9, 0, shown]) + zeros(16) + numbers(matrix + [0, 0]))
        let elst = full("elst", 0, numbers([1, shown, shift * 1000, 1 << 16]))
        let mdhd = full("mdhd", 0, numbers([0, 0, 1000, seconds * 1000, 0x55C4_0000]))
        let hdlr = full("hdlr", 0, zeros(4) + Array("meta".utf8) + zeros(12) + Array("MET".utf8) + [0])
        let entry = box(format, zeros(6) + [0, 1] + zeros(4))
        let stbl = box(
            "stbl",
            full("stsd", 0, number(1) + entry) + full("stts", 0, numbers([1, seconds, 1000]))
                + full("stsc", 0, numbers([1, 1, seconds, 1]))
                + full("stsz", 0, numbers([UInt32(packet(0).count), seconds]))
                + full("stco", 0, numbers([1, place])))
        let dinf = box("dinf", full("dref", 0, number(1) + full("url ", 1, [])))
        let minf = box("minf", box("gmhd", full("gmin", 0, zeros(12))) + dinf + stbl)
        return box(
            "trak",
            tkhd + box("edts", elst) + box("tref", box("cdsc", number(1))) + box("mdia", mdhd + hdlr + minf))
    }

    private static func number(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }

    private static func numbers(_ all: [UInt32]) -> [UInt8] { all.flatMap(number) }

    private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        number(UInt32(8 + payload.count)) + Array(type.utf8) + payload
    }

    private static func full(_ type: String, _ flags: UInt32, _ payload: [UInt8]) -> [UInt8] {
        box(type, number(flags) + payload)
    }
}
