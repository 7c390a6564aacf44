import Imaging

/// Where a clip is drawn at a frame; between two of them it is on the straight way from one to the other.
struct KeyFrame: Equatable {
    let frame: Int
    let x, y, width, height: Double
    /// From 0 to 1.
    let opacity: Double

    init(_ frame: Int, _ placement: FeedPlacement) {
        let place = placement.rectangle
        (self.frame, x, y, opacity) = (frame, Double(place.x), Double(place.y), placement.opacity)
        (width, height) = (Double(place.width), Double(place.height))
    }

    /// Leaves out those that lie on the way between their neighbours, to a pixel and a hundredth of the opacity.
    ///
    /// - Parameter frames: ascending by their numbers.
    static func thinned(_ frames: [KeyFrame]) -> [KeyFrame] {
        // Of what stays, the first and the last are enough; so that what moves is little.
        let ends = frames.indices.filter { index in
            !frames.indices.contains(index - 1) || !frames.indices.contains(index + 1)
                || frames[index].place != frames[index - 1].place || frames[index].place != frames[index + 1].place
        }.map { frames[$0] }
        guard var anchor = ends.indices.first else { return [] }
        var kept = [ends[anchor]]
        for next in ends.indices.dropFirst(2)
        where !ends[(anchor + 1)..<next].allSatisfy({ $0.isOnTheWay(from: ends[anchor], to: ends[next]) }) {
            anchor = next - 1
            kept.append(ends[anchor])
        }
        if let last = ends.last, last.place != kept.last?.place { kept.append(last) }
        return kept
    }

    private var place: [Double] { [x, y, width, height, opacity] }

    private func isOnTheWay(from first: KeyFrame, to last: KeyFrame) -> Bool {
        let share = Double(frame - first.frame) / Double(last.frame - first.frame)
        return zip(place, zip(first.place, last.place)).enumerated().allSatisfy { index, values in
            let (own, (first, last)) = values
            return abs(first + (last - first) * share - own) <= (index == 4 ? 0.01 : 1)
        }
    }
}
