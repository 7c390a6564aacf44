import Imaging
import TestSupport
import Testing

/// A labelled set of scenes that are drawn: what moves is seen, and what light and noise do is not.
struct MotionDetectorTests {
    private static let (columns, rows) = (48, 27)

    /// A room with noise, light and perhaps somebody in it.
    private struct Scene {
        var random: SeededGenerator
        let texture: [Float]
        /// How light is changed at a moment: a factor, an offset, and how much more of both on the right than on the left.
        var light: (Double) -> (factor: Float, offset: Float, slope: Float) = { _ in (1, 0, 0) }
        /// Where something is at a moment, how large in cells, and how different from what is behind it.
        var object: ((Double) -> (x: Double, y: Double, width: Double, height: Double, contrast: Float))?
        var noise: Float = 2

        init(seed: UInt64) {
            var random = SeededGenerator(state: seed)
            var cells = (0..<columns * rows).map { _ in Float.random(in: 40...190, using: &random) }
            // Rooms are smoother than noise.
            for _ in 0..<3 {
                for index in cells.indices.dropFirst().dropLast() {
                    cells[index] = (cells[index - 1] + cells[index] + cells[index + 1]) / 3
                }
            }
            (texture, self.random) = (cells, random)
        }

        mutating func grid(at time: Double) -> LumaGrid {
            let (factor, offset, slope) = light(time)
            let object = object?(time)
            var cells = texture
            for row in 0..<rows {
                for column in 0..<columns {
                    let index = row * columns + column
                    if let object, (object.x..<object.x + object.width).contains(Double(column)),
                        (object.y..<object.y + object.height).contains(Double(row))
                    {
                        cells[index] = min(255, max(0, cells[index] + object.contrast))
                    }
                    let share = slope * Float(column) / Float(columns)
                    let lit =
                        cells[index] * (factor + share) + offset + Float.random(in: -noise...noise, using: &random)
                    cells[index] = min(255, max(0, lit))
                }
            }
            return LumaGrid(columns: columns, rows: rows, cells: cells)
        }

        /// Whether anything is seen from the fourth second on, at five looks a second.
        mutating func isSeen(seconds: Double = 8) -> Bool {
            var (detector, isSeen) = (MotionDetector(), false)
            for look in 0..<Int(seconds * 5) {
                let time = Double(look) / 5
                if detector.see(grid(at: time)), time > 4 { isSeen = true }
            }
            return isSeen
        }
    }

    @Test func `people, cars and cats are seen`() {
        var missed: [UInt64] = []
        for seed in UInt64(1)...50 {
            var scene = Scene(seed: seed)
            var random = SeededGenerator(state: seed + 1000)
            let (width, height) = (Double.random(in: 3...12, using: &random), Double.random(in: 4...15, using: &random))
            let (speed, y) = (
                Double.random(in: 3...15, using: &random), Double.random(in: 0...(27 - height), using: &random)
            )
            let contrast = Float.random(in: 25...90, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            scene.object = { time in (x: (time - 5) * speed, y: y, width: width, height: height, contrast: contrast) }
            scene.noise = Float.random(in: 0...6, using: &random)
            if !scene.isSeen() { missed.append(seed) }
        }
        #expect(missed.isEmpty, "\(missed)")
    }

    @Test func `light that changes, and noise, are not`() {
        var seen: [String] = []
        for seed in UInt64(1)...50 {
            var random = SeededGenerator(state: seed + 2000)
            let (factor, slope) = (
                Float.random(in: 0.4...1.8, using: &random), Float.random(in: -0.4...0.4, using: &random)
            )
            let offset = Float.random(in: -30...40, using: &random)
            let kinds: [(String, (Double) -> (factor: Float, offset: Float, slope: Float))] = [
                ("a lamp at once", { $0 < 5 ? (1, 0, 0) : (factor, offset, 0) }),
                ("a lamp on one side", { $0 < 5 ? (1, 0, 0) : (1, offset / 2, slope) }),
                (
                    "a cloud",
                    { time in
                        let share = Float(min(1, max(0, (time - 4) / 3)))
                        return (1 + (factor - 1) * share, offset * share, 0)
                    }
                ),
                ("an exposure that hunts", { time in (1 + 0.15 * Float(Int(time * 5) % 3), 0, 0) }),
                ("noise", { _ in (1, 0, 0) }),
            ]
            let (name, light) = kinds[Int(seed) % kinds.count]
            var scene = Scene(seed: seed)
            (scene.light, scene.noise) = (light, name == "noise" ? 12 : 3)
            if scene.isSeen() { seen.append("\(name), seed \(seed)") }
        }
        #expect(seen.isEmpty, "\(seen)")
    }
}
