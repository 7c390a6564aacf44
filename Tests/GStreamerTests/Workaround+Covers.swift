import Foundation
import TestSupport
import Testing

/// What demuxers do with covers.
extension Workaround {
    private static func number(_ value: Int, _ count: Int = 4) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    static let covers = [
        Workaround("apedemux, a cover: APETag") { folder in
            let (audio, image) = (
                try await made(folder, "a.wv", "\(second) -c:a wavpack"),
                try await made(folder, "a.png", "-f lavfi -i color=red:size=64x64 -frames:v 1")
            )
            func item(_ name: String, _ value: Data, _ flags: Int) -> Data {
                Data([number(value.count), number(flags), Data(name.utf8), Data([0]), value].joined())
            }
            let items = try [
                item("Title", Data("Once".utf8), 0),
                item("Cover Art (Front)", Data("a.png\0".utf8) + bytes(image), 2),
            ]
            let size = items.map(\.count).reduce(32, +)
            let foot = [Data("APETAGEX".utf8), number(2000), number(size), number(items.count), number(0, 12)]
            let path = try edited(audio, folder, "tagged.wv") { $0 += Data((items + foot).joined()) }
            let told = try await launch("-t filesrc location=\(path) ! apedemux ! fakesink").text
            return told.contains("Once") && !told.contains("image:")
        },
        Workaround("avdemux_dsf, a cover: DSFHead") { folder in
            let song = try await bytes(
                made(
                    folder, "a.mp3",
                    "\(second) -f lavfi -i color=red:size=64x64:duration=0.04 -c:v mjpeg -map 0 -map 1 -c:a libmp3lame")
            )
            // Seven bits a byte, behind the name, the version and the flags.
            let tag = song.prefix(song[6..<10].reduce(0) { $0 << 7 | Int($1) } + 10)
            let samples = Data(repeating: 0x69, count: 20 * 4096)
            let numbers = [1, 0, 2, 2, 2_822_400, 1].map { number($0) }
            let format =
                [Data("fmt ".utf8), number(52, 8)] + numbers + [number(10 * 4096 * 8, 8), number(4096), number(0)]
            let body = Data((format + [Data("data".utf8), number(12 + samples.count, 8), samples]).joined())
            let place = 28 + body.count
            let head = [Data("DSD ".utf8), number(28, 8), number(place + tag.count, 8), number(place, 8)]
            let path = folder.file("a.dsf")
            try Data((head + [body, tag]).joined()).write(to: URL(filePath: path))
            return try await launch("-v filesrc location=\(path) ! avdemux_dsf name=d d.video_0 ! fakesink").text
                .contains("fakesink0.GstPad:sink: caps = image/jpeg")
        },
    ]
}
