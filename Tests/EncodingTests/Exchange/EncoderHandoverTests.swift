import Testing

@testable import Encoding

@Suite struct EncoderHandoverTests {
    /// What goes on, in order.
    private struct Line {
        var handover = EncoderHandover<Int>()
        var all: [Int] = []
        var hasEnded = false

        mutating func take(_ packet: Int, of encoder: Int) {
            if handover.take(packet, of: encoder) { all.append(packet) }
        }

        mutating func end(of encoder: Int, meanwhile: ((inout Line) -> Void)? = nil) {
            var next = handover.end(of: encoder)
            while case .packets(let packets) = next {
                meanwhile?(&self)
                all += packets
                next = handover.following()
            }
            if case .end = next { hasEnded = true }
        }
    }

    @Test func `packets of one encoder go on as they come`() {
        var line = Line()
        line.take(1, of: 0)
        line.end(of: 0)
        #expect(line.all == [1] && line.hasEnded)
    }

    @Test func `those of the second wait until the first has ended`() {
        var line = Line()
        #expect(line.handover.next == 1)
        line.handover.begin()
        line.take(3, of: 1)
        line.take(1, of: 0)
        line.take(4, of: 1)
        line.take(2, of: 0)
        #expect(line.all == [1, 2] && line.handover.isUnderWay)
        // One that comes while the first's thread hands them on waits behind them.
        line.end(of: 0) { line in if line.all.count == 2 { line.take(5, of: 1) } }
        #expect(line.all == [1, 2, 3, 4, 5] && !line.handover.isUnderWay && !line.hasEnded)
        line.take(6, of: 1)
        line.end(of: 1)
        #expect(line.all == Array(1...6) && line.hasEnded)
    }

    @Test func `one that ends while the other is still at work is followed by the end`() {
        var line = Line()
        line.handover.begin()
        line.take(2, of: 1)
        line.end(of: 1)
        line.take(1, of: 0)
        #expect(line.all == [1] && !line.hasEnded)
        line.end(of: 0)
        #expect(line.all == [1, 2] && line.hasEnded)
    }

    @Test func `many follow each other`() {
        var line = Line()
        for encoder in 0..<5 {
            if encoder > 0 { line.handover.begin() }
            line.take(2 * encoder + 1, of: encoder)
            if encoder > 0 { line.end(of: encoder - 1) }
            line.take(2 * encoder + 2, of: encoder)
        }
        line.end(of: 4)
        #expect(line.all == Array(1...10) && line.hasEnded)
    }
}
