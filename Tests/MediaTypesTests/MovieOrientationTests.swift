import MediaTypes
import Testing

struct MovieOrientationTests {
    private static let all = MovieOrientation.Rotation.allCases.flatMap { rotation in
        [false, true].map { MovieOrientation(rotation: rotation, isMirrored: $0) }
    }

    /// Where a point of a square frame is shown: mirrored first, then turned clockwise.
    private func shown(_ point: SIMD2<Int>, _ orientation: MovieOrientation) -> SIMD2<Int> {
        var point = orientation.isMirrored ? SIMD2(-point.x, point.y) : point
        // Clockwise where y points down: right becomes down.
        for _ in 0..<(orientation.rotation.rawValue / 90) { point = SIMD2(-point.y, point.x) }
        return point
    }

    @Test(arguments: all) func `one behind the other is what both do`(first: MovieOrientation) {
        for next in Self.all {
            for point in [SIMD2(1, 0), SIMD2(2, 3)] {
                #expect(shown(point, first.followed(by: next)) == shown(shown(point, first), next), "\(next)")
            }
        }
        #expect(first.followed(by: first.inverse) == .upright)
    }
}
