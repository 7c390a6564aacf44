/// What a clip has at a frame, such as its place; between two of them each number is on the straight way from one to the other.
struct KeyFrame: Equatable {
    let frame: Int
    let values: [Double]

    /// Leaves out those that lie on the way between their neighbours.
    ///
    /// - Parameters:
    ///   - frames: ascending by their numbers.
    ///   - tolerance: how far from the way each number may lie.
    static func thinned(_ frames: [KeyFrame], tolerance: Double) -> [KeyFrame] {
        // Of what stays, the first and the last are enough; so that what moves is little.
        let ends = frames.indices.filter { index in
            !frames.indices.contains(index - 1) || !frames.indices.contains(index + 1)
                || frames[index].values != frames[index - 1].values || frames[index].values != frames[index + 1].values
        }.map { frames[$0] }
        guard var anchor = ends.indices.first else { return [] }
        var kept = [ends[anchor]]
        for next in ends.indices.dropFirst(2)
        where !ends[(anchor + 1)..<next].allSatisfy({ $0.isOnTheWay(from: ends[anchor], to: ends[next], tolerance) }) {
            anchor = next - 1
            kept.append(ends[anchor])
        }
        if let last = ends.last, last.values != kept.last?.values { kept.append(last) }
        return kept
    }

    private func isOnTheWay(from first: KeyFrame, to last: KeyFrame, _ tolerance: Double) -> Bool {
        let share = Double(frame - first.frame) / Double(last.frame - first.frame)
        return zip(values, zip(first.values, last.values)).allSatisfy { own, ends in
            abs(ends.0 + (ends.1 - ends.0) * share - own) <= tolerance
        }
    }
}
