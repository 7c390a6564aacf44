import TestSupport

extension SeededGenerator {
    /// A file's bytes cut off anywhere, with some of the first ones changed.
    ///
    /// - Parameters:
    ///   - changes: how many.
    ///   - first: among so many bytes.
    mutating func damage(_ bytes: [UInt8], changes: Int, among first: Int) -> [UInt8] {
        var damaged = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &self)))
        for _ in 0..<changes where !damaged.isEmpty {
            let place = Int.random(in: 0..<min(damaged.count, first), using: &self)
            damaged[place] = UInt8.random(in: 0...255, using: &self)
        }
        return damaged
    }
}
