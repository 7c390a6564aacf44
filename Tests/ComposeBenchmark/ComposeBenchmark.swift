import Foundation
import Imaging
import MediaTypes

/// Composes raw frames: ComposeBenchmark map|read MAIN MAIN-SIZE INSET INSET-SIZE LAYOUT FRAMES OUTPUT [FORMAT]
///
/// Files hold frames of FORMAT (i420 if left out) one after another, BT.709; where there are fewer than FRAMES, they begin again.
/// LAYOUT may be two with a > between: over all frames the one becomes the other, as often as there are sixty.
/// map: the files lie in memory as a decoder's frames do, and the main one is drawn into where it lies; read: each frame is
/// copied out of its file first. The output is written with one call for a frame.
///
/// ComposeBenchmark look FRAMES-FILE SIZE TABLE.cube FRAMES OUTPUT [FORMAT] looks the colors of frames up instead.
@main struct ComposeBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count >= 7, arguments[1] == "look" { return try look(arguments) }
        guard arguments.count >= 9, ["map", "read"].contains(arguments[1]), let mainSize = VideoSize(arguments[3]),
            let insetSize = VideoSize(arguments[5]), let count = Int(arguments[7]),
            let format = PixelFormat(rawValue: arguments.count > 9 ? arguments[9] : "i420")
        else { fail("ComposeBenchmark map|read MAIN MAIN-SIZE INSET INSET-SIZE LAYOUT FRAMES OUTPUT [FORMAT]", 64) }
        let (mainFormat, insetFormat) = (ImageFormat(format, size: mainSize), ImageFormat(format, size: insetSize))
        let layouts = try arguments[6].split(separator: ">").map {
            try Layout(String($0)).placements(in: mainSize, feeds: [mainSize, insetSize])
        }
        guard let from = layouts.first, let to = layouts.last else { fail("a layout is missing", 64) }
        let change = LayoutTransition(from: from, to: to, duration: .second)
        let main = RawFile(arguments[2], mainFormat.byteCount, isMapped: arguments[1] == "map")
        let inset = RawFile(arguments[4], insetFormat.byteCount, isMapped: arguments[1] == "map")
        let output = open(arguments[8], O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard output >= 0 else { fail("\(arguments[8]) cannot be written") }
        let composer = FrameComposer()
        let canvas = UnsafeMutableRawPointer.allocate(byteCount: mainFormat.byteCount, alignment: 64)
        for number in 0..<count {
            let places = change.placements(at: MediaTime(samples: number % 60, rate: 60))
            let isInPlace = places[0].isWholeOutput(mainSize, frame: mainSize)
            let (frame, other) = (main.next(), inset.next())
            let target = MutableFrameView(mainFormat, packedAt: isInPlace ? frame : canvas)
            if !isInPlace { try composer.fill(of: target) }
            for place in isInPlace ? places.dropFirst() : places[...] {
                let source =
                    place.feed == 0 ? FrameView(mainFormat, packedAt: frame) : FrameView(insetFormat, packedAt: other)
                try composer.draw(source, at: place, into: target)
            }
            write(isInPlace ? frame : canvas, mainFormat.byteCount, to: output)
        }
    }

    private static func look(_ arguments: [String]) throws {
        guard let size = VideoSize(arguments[3]), let count = Int(arguments[5]),
            let format = PixelFormat(rawValue: arguments.count > 7 ? arguments[7] : "i420"), format.planeCount == 3,
            let text = FileManager.default.contents(atPath: arguments[4])
        else { fail("ComposeBenchmark look FRAMES-FILE SIZE TABLE.cube FRAMES OUTPUT [i420|i010]", 64) }
        let image = ImageFormat(format, size: size)
        let frames = RawFile(arguments[2], image.byteCount, isMapped: false)
        let output = open(arguments[6], O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard output >= 0 else { fail("\(arguments[6]) cannot be written") }
        let layout = GradedLayout(bitDepth: format.bitDepth, halvesColumns: true, halvesRows: true)
        let grading = FrameGrading(try LookupTable(cube: text), layout, size: size, color: image.color)
        for _ in 0..<count {
            let frame = frames.next()
            grading.apply(to: MutableFrameView(image, packedAt: frame).planes)
            write(frame, image.byteCount, to: output)
        }
    }

    private static func write(_ bytes: UnsafeRawPointer, _ count: Int, to file: Int32) {
        var done = 0
        while done < count {
            let written = Glibc.write(file, bytes + done, count - done)
            guard written > 0 else { fail("the output cannot be written") }
            done += written
        }
    }
}

func fail(_ message: String, _ status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
}

/// Frames one after another, from the beginning again at the end.
final class RawFile {
    private let file: Int32
    private let size: Int
    private let count: Int
    private let isMapped: Bool
    private var index = 0
    private var memory: UnsafeMutableRawPointer?

    init(_ path: String, _ size: Int, isMapped: Bool) {
        file = open(path, O_RDONLY)
        (self.size, self.isMapped) = (size, isMapped)
        count = Int(lseek(file, 0, SEEK_END)) / size
        guard file >= 0, count > 0 else { fail("\(path) has no whole frame") }
    }

    deinit { close(file) }

    func next() -> UnsafeMutableRawPointer {
        defer { index = (index + 1) % count }
        guard isMapped else {
            let bytes = memory ?? UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
            memory = bytes
            var done = 0
            while done < size {
                let got = pread(file, bytes + done, size - done, off_t(index * size + done))
                guard got > 0 else { fail("a frame cannot be read") }
                done += got
            }
            return bytes
        }
        if index == 0 {
            // What was drawn is in pages of its own, which go: the file has the frames as they were.
            if let memory { munmap(memory, count * size) }
            memory = mmap(nil, count * size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0)
        }
        guard let memory, memory != MAP_FAILED else { fail("a file cannot be mapped") }
        return memory + index * size
    }
}
