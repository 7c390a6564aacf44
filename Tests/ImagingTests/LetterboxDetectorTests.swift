import Imaging
import MediaTypes
import Testing

struct LetterboxDetectorTests {
    /// A frame of black with a part that is brighter.
    private func frame(
        _ size: VideoSize, _ area: (x: ClosedRange<Int>, y: ClosedRange<Int>)?, _ luma: UInt8 = 90, black: UInt8 = 16
    ) -> [UInt8] {
        (0..<size.width * size.height).map { place in
            let (x, y) = (place % size.width, place / size.width)
            guard let area, area.x.contains(x), area.y.contains(y) else { return black + UInt8(place % 3) }
            return luma
        }
    }

    private func detector(_ frames: [[UInt8]], _ size: VideoSize, isFullRange: Bool = false) -> LetterboxDetector {
        var detector = LetterboxDetector(size: size, isFullRange: isFullRange)
        for frame in frames {
            frame.withUnsafeBufferPointer {
                if let base = $0.baseAddress { detector.look(at: base, bytesPerRow: size.width) }
            }
        }
        return detector
    }

    private let size = VideoSize(96, 64)

    @Test func `the largest part that any frame shows is kept, with even sides`() {
        let dark = frame(size, (30...50, 20...30))
        let light = frame(size, (0...95, 9...52))
        let black = frame(size, nil)
        let kept = PixelRectangle(x: 0, y: 8, width: 96, height: 46)
        for frames in [[light], [black, dark, light], [light, dark, black]] {
            #expect(detector(frames, size).kept(rows: 2) == kept)
        }
        #expect(detector([light], size).kept(rows: 4) == PixelRectangle(x: 0, y: 8, width: 96, height: 48))
    }

    @Test func `nothing is cut off where all is black, or the picture goes to the edges`() {
        #expect(detector([frame(size, nil)], size).kept(rows: 2) == nil)
        #expect(detector([frame(size, nil)], size).area == nil)
        let whole = detector([frame(size, (20...30, 20...30)), frame(size, (0...95, 0...63))], size)
        #expect(whole.isWhole)
        #expect(whole.kept(rows: 2) == nil)
        // An odd line at an edge is none that could be cut off.
        #expect(detector([frame(size, (1...95, 0...63))], size).kept(rows: 2) == nil)
    }

    @Test func `what is dim and even counts, and so do a few bright letters in a bar`() {
        #expect(detector([frame(size, (0...95, 0...63), 24)], size).isWhole)
        let letters = [frame(size, (0...95, 10...50)), frame(size, (40...43, 58...60), 235)]
        #expect(detector(letters, size).kept(rows: 2) == PixelRectangle(x: 0, y: 10, width: 96, height: 52))
    }

    @Test func `black is 0 where frames have the full range`() {
        let bars = frame(size, (0...95, 10...49), 18, black: 0)
        #expect(
            detector([bars], size, isFullRange: true).kept(rows: 2)
                == PixelRectangle(x: 0, y: 10, width: 96, height: 40))
    }
}
