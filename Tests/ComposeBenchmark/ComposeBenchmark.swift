import Foundation
import Imaging
import MediaTypes

/// Composes raw frames: ComposeBenchmark MAIN MAIN-SIZE INSET INSET-SIZE LAYOUT FRAMES OUTPUT [FORMAT]
///
/// Files hold frames of FORMAT (i420 if left out) one after another, BT.709; where there are fewer than FRAMES, it begins again.
/// Both are read and the output written as any program does, with one read and one write for a frame.
@main struct ComposeBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 8, let mainSize = VideoSize(arguments[2]), let insetSize = VideoSize(arguments[4]),
            let count = Int(arguments[6]),
            let format = PixelFormat(rawValue: arguments.count > 8 ? arguments[8] : "i420")
        else {
            print("ComposeBenchmark MAIN MAIN-SIZE INSET INSET-SIZE LAYOUT FRAMES OUTPUT [FORMAT]")
            exit(64)
        }
        let (mainFormat, insetFormat) = (ImageFormat(format, size: mainSize), ImageFormat(format, size: insetSize))
        let places = try Layout(arguments[5]).placements(in: mainSize, feeds: [mainSize, insetSize])
        let main = try RawFile(arguments[1], mainFormat.byteCount)
        let inset = try RawFile(arguments[3], insetFormat.byteCount)
        let output =
            FileHandle(forWritingAtPath: arguments[7])?.fileDescriptor ?? open(arguments[7], O_WRONLY | O_CREAT, 0o644)
        guard output >= 0 else { throw POSIXError(.EIO) }
        let composer = FrameComposer()
        let frame = UnsafeMutableRawPointer.allocate(byteCount: mainFormat.byteCount, alignment: 64)
        let background = UnsafeMutableRawPointer.allocate(byteCount: mainFormat.byteCount, alignment: 64)
        let other = UnsafeMutableRawPointer.allocate(byteCount: insetFormat.byteCount, alignment: 64)
        let isInPlace = places[0].isWholeOutput(mainSize, frame: mainSize)
        for _ in 0..<count {
            try main.next(into: isInPlace ? frame : background)
            try inset.next(into: other)
            let target = MutableFrameView(mainFormat, packedAt: frame)
            if !isInPlace { try composer.fill(of: target) }
            for place in isInPlace ? places.dropFirst() : places[...] {
                let source =
                    place.feed == 0
                    ? FrameView(mainFormat, packedAt: background) : FrameView(insetFormat, packedAt: other)
                try composer.draw(source, at: place, into: target)
            }
            try write(frame, mainFormat.byteCount, to: output)
        }
    }

    private static func write(_ bytes: UnsafeRawPointer, _ count: Int, to file: Int32) throws {
        var done = 0
        while done < count {
            let written = Glibc.write(file, bytes + done, count - done)
            guard written > 0 else { throw POSIXError(.EIO) }
            done += written
        }
    }
}

/// Frames one after another, from the beginning again at the end.
final class RawFile {
    private let file: Int32
    private let size: Int

    init(_ path: String, _ size: Int) throws {
        file = open(path, O_RDONLY)
        self.size = size
        guard file >= 0 else { throw POSIXError(.ENOENT) }
    }

    deinit { close(file) }

    func next(into bytes: UnsafeMutableRawPointer) throws {
        var done = 0
        var isBeginning = false
        while done < size {
            let count = read(file, bytes + done, size - done)
            if count > 0 {
                done += count
                isBeginning = false
            } else {
                // A file without one whole frame would never end.
                guard count == 0, !isBeginning, lseek(file, 0, SEEK_SET) == 0 else { throw POSIXError(.EIO) }
                (done, isBeginning) = (0, true)
            }
        }
    }
}
