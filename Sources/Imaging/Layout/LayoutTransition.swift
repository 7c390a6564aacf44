package import MediaTypes

/// How frames go from one layout to another, or change places: a function of time, without a state.
///
/// Frames move and change their size between their two places; what comes or leaves fades. Where two frames change places so
/// that one that was behind comes in front, as in a swap, it stays behind at its old place and fades in at the new one, while the
/// other grows: nothing jumps.
package struct LayoutTransition: Sendable, Hashable {
    /// Where it begins, from the back to the front.
    package let from: [FeedPlacement]
    /// Where it ends.
    package let to: [FeedPlacement]
    /// 0 or less: the change is at once.
    package let duration: MediaTime
    private let steps: [Motion]

    private enum Motion: Hashable {
        case moves(FeedPlacement, FeedPlacement)
        case stays(FeedPlacement)
        case fadesIn(FeedPlacement)
        /// In the second half.
        case fadesInLate(FeedPlacement)
        case fadesOut(FeedPlacement)
    }

    /// - Parameters:
    ///   - from: What ``placements(at:)`` of a change under way gives, too.
    ///   - duration: Of the whole change.
    package init(from: [FeedPlacement], to: [FeedPlacement], duration: MediaTime) {
        (self.from, self.to, self.duration) = (from, to, duration)
        steps = Self.steps(from, to)
    }

    /// Whether the change is over so long after its beginning.
    package func isComplete(at elapsed: MediaTime) -> Bool { elapsed >= duration || duration <= .zero }

    /// From the back to the front.
    ///
    /// - Parameter elapsed: Since the change began; before that, it has not begun.
    package func placements(at elapsed: MediaTime) -> [FeedPlacement] {
        if isComplete(at: elapsed) { return to }
        if elapsed <= .zero { return from }
        let linear = elapsed / duration
        // Slow at both ends.
        let share = linear * linear * (3 - 2 * linear)
        return steps.compactMap { step in
            switch step {
            case .stays(let placement): return placement
            case .moves(let from, let to): return from.mixed(with: to, share)
            case .fadesIn(let placement): return placement.faded(share)
            case .fadesInLate(let placement): return share <= 0.5 ? nil : placement.faded(2 * share - 1)
            case .fadesOut(let placement): return placement.faded(1 - share)
            }
        }
    }

    private static func steps(_ from: [FeedPlacement], _ to: [FeedPlacement]) -> [Motion] {
        var (behind, middle, front) = ([Motion](), [Motion](), [Motion]())
        for (rank, old) in from.enumerated() {
            let isLast = !from[(rank + 1)...].contains { $0.feed == old.feed }
            guard isLast, let target = to.firstIndex(where: { $0.feed == old.feed }) else {
                // In the end another one covers it: if both faded, black would show through.
                let isCovered = to.contains { new in
                    new.rectangle.contains(old.rectangle)
                        && !from[...rank].contains { $0.feed == new.feed && $0.feed != old.feed }
                }
                middle.append(isCovered ? .stays(old) : .fadesOut(old))
                continue
            }
            let passes = from[(rank + 1)...].contains { other in
                guard let place = to.firstIndex(where: { $0.feed == other.feed }), place < target else { return false }
                return old.rectangle.overlaps(other.rectangle) || to[target].rectangle.overlaps(to[place].rectangle)
            }
            if passes {
                middle.append(.stays(old))
                front.append(.fadesInLate(to[target]))
            } else {
                middle.append(.moves(old, to[target]))
            }
        }
        for (rank, new) in to.enumerated() where !from.contains(where: { $0.feed == new.feed }) {
            let isHidden = to[(rank + 1)...].contains { other in
                from.contains { $0.feed == other.feed && $0.rectangle.contains(new.rectangle) && $0.opacity >= 1 }
            }
            if isHidden { behind.append(.stays(new)) } else { front.append(.fadesIn(new)) }
        }
        return behind + middle + front
    }
}

extension FeedPlacement {
    fileprivate func faded(_ share: Double) -> FeedPlacement {
        var placement = self
        placement.opacity *= share
        return placement
    }

    /// A share of the way to another; edges are rounded to pixels each for itself, so that what stays at an edge does not tremble.
    fileprivate func mixed(with other: FeedPlacement, _ share: Double) -> FeedPlacement {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        func edge(_ a: Int, _ b: Int) -> Int { Int(mix(Double(a), Double(b)).rounded()) }
        let (a, b) = (rectangle, other.rectangle)
        let (left, top) = (edge(a.x, b.x), edge(a.y, b.y))
        var placement = self
        placement.rectangle = PixelRectangle(
            x: left, y: top, width: max(edge(a.right, b.right) - left, 1),
            height: max(edge(a.bottom, b.bottom) - top, 1))
        placement.crop = CropRectangle(
            x: mix(crop.x, other.crop.x), y: mix(crop.y, other.crop.y), width: mix(crop.width, other.crop.width),
            height: mix(crop.height, other.crop.height))
        placement.cornerRadius = mix(cornerRadius, other.cornerRadius)
        placement.borderWidth = mix(borderWidth, other.borderWidth)
        placement.shadowRadius = mix(shadowRadius, other.shadowRadius)
        placement.opacity = mix(opacity, other.opacity)
        return placement
    }
}
