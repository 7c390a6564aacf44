import MediaTypes
import Testing

@testable import Capture

@Suite struct ZoomPathTests {
    @Test func `the field of view changes by the same factor in equal times`() {
        var path = ZoomPath()
        #expect(path.next(3 * .second) == 1)
        path.move(to: 4, over: 2 * .second, at: 3 * .second)
        let factors = [10, 11, 12, 13].map { path.next($0 * .second) }
        #expect(zip(factors, [1, 2, 4, 4]).allSatisfy { abs($0 - $1) < 1e-9 }, "\(factors)")
    }

    @Test func `another movement begins where the one before is`() {
        var path = ZoomPath()
        path.move(to: 4, over: 2 * .second, at: nil)
        _ = path.next(10 * .second)
        path.move(to: 1, over: .second, at: 11 * .second)
        #expect(abs(path.next(11 * .second) - 2) < 1e-9 && abs(path.next(12 * .second) - 1) < 1e-9)
        path.move(to: 3, over: .zero, at: 12 * .second)
        #expect(path.next(12 * .second) == 3)
    }
}
