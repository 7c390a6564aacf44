/// Writes bits, the highest first, into memory that its user has made large enough.
struct BitWriter {
    private let start: UnsafeMutablePointer<UInt8>
    private var next: UnsafeMutablePointer<UInt8>
    /// Bits that wait, at the low end; fewer than 32 between two calls.
    private var waiting: UInt64 = 0
    private var count: UInt64 = 0

    init(_ start: UnsafeMutablePointer<UInt8>) { (self.start, next) = (start, start) }

    /// - Parameter count: at most 32.
    @inline(__always)
    mutating func put(_ bits: UInt64, _ count: UInt64) {
        waiting = waiting &<< count | bits
        self.count &+= count
        guard self.count >= 32 else { return }
        self.count &-= 32
        UnsafeMutableRawPointer(next).storeBytes(
            of: UInt32(truncatingIfNeeded: waiting &>> self.count).bigEndian, as: UInt32.self)
        next += 4
    }

    @inline(__always)
    mutating func put(_ code: (bits: UInt32, count: UInt32)) {
        // The leading zeros can make a word longer than what one call takes.
        if code.count > 32 {
            put(0, UInt64(code.count - 32))
            put(UInt64(code.bits), 32)
        } else {
            put(UInt64(code.bits), UInt64(code.count))
        }
    }

    /// Fills the last byte with zeros; returns how many bytes there are.
    mutating func finish() -> Int {
        var left = Int(count)
        while left > 0 {
            next.pointee = UInt8(
                truncatingIfNeeded: left >= 8 ? waiting >> UInt64(left - 8) : waiting << UInt64(8 - left))
            next += 1
            left -= 8
        }
        (waiting, count) = (0, 0)
        return next - start
    }
}
