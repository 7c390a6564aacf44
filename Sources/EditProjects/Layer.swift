import Imaging
import MediaTypes

/// One of the layers of frames that are drawn over each other, as an editor's track: clips, with the way of each in key frames.
/// Cameras that change places change their layers.
struct Layer {
    /// A camera that stays in the layer for a while.
    struct Clip {
        let camera: Int
        /// Of the composed movie, and of the camera's at the same rate.
        var frames: Range<Int>
        /// What is known of its way, by the composed movie's frames.
        var steps: [(frame: Int, placement: FeedPlacement)]
    }

    /// In order; between them the layer is empty.
    let clips: [Clip]

    /// From the back to the front.
    static func layers(of project: EditProject) -> [Layer] {
        let steps = project.frameSteps
        let ends = steps.dropFirst().map(\.frame) + [project.frameCount]
        return (0..<(steps.map(\.step.placements.count).max() ?? 0)).map { layer in
            var clips: [Clip] = []
            for ((frame, step), end) in zip(steps, ends) where step.placements.indices.contains(layer) {
                let clip = Clip(step.placements[layer], frame..<end)
                // Where a layout begins, the clip of a camera that stays goes on.
                if let last = clips.last, last.camera == clip.camera, last.frames.upperBound == frame {
                    clips[clips.count - 1].frames = last.frames.lowerBound..<end
                    clips[clips.count - 1].steps += clip.steps
                } else {
                    clips.append(clip)
                }
            }
            return Layer(clips: clips)
        }
    }
}

extension Layer.Clip {
    fileprivate init(_ placement: FeedPlacement, _ frames: Range<Int>) {
        (camera, self.frames) = (placement.feed, frames)
        steps = [(frames.lowerBound, placement)]
        // It stays until the next step, and does not set out for it.
        if frames.count > 1 { steps.append((frames.upperBound - 1, placement)) }
    }

    /// The same, so many frames later.
    func delayed(by count: Int) -> Layer.Clip {
        Layer.Clip(
            camera: camera, frames: (frames.lowerBound + count)..<(frames.upperBound + count),
            steps: steps.map { ($0.frame + count, $0.placement) })
    }

    /// Where what is seen of the camera stands: left, top, width and height in pixels of the composed frame.
    var places: [KeyFrame] {
        keyFrames(tolerance: 1) { step in
            let place = step.rectangle
            return [place.x, place.y, place.width, place.height].map { Double($0) }
        }
    }

    /// From 0 to 1; none where it is opaque all the time.
    var opacities: [KeyFrame] {
        let all = keyFrames(tolerance: 0.01) { [$0.opacity] }
        return all.allSatisfy { $0.values == [1] } ? [] : all
    }

    /// Where all of the camera's frame would have to stand for its edges, and nothing else, to be cut off by those of the composed
    /// frame: left, top, width and height in pixels. None where all of it is seen all the time.
    ///
    /// - Parameter size: of the camera's frame.
    func enlargements(of size: VideoSize, in composed: VideoSize) -> [KeyFrame] {
        let whole = [0, 0, Double(composed.width), Double(composed.height)]
        let all = keyFrames(tolerance: 1) { step in
            let crop = step.crop
            guard crop.width > 0, crop.height > 0 else { return whole }
            let (across, down) = (Double(composed.width) / crop.width, Double(composed.height) / crop.height)
            return [-crop.x * across, -crop.y * down, Double(size.width) * across, Double(size.height) * down]
                .map { $0.rounded() }
        }
        return all.allSatisfy { $0.values == whole } ? [] : all
    }

    /// An edge within the places: left, top, width and height in pixels of the composed frame, and how round its corners are, 1 where they fill
    /// half of the shorter side.
    ///
    /// - Parameter width: how far it lies within.
    func roundedEdges(inside width: (FeedPlacement) -> Double) -> (rectangles: [KeyFrame], radii: [KeyFrame]) {
        let rectangles = keyFrames(tolerance: 1) { step in
            let (place, width) = (step.rectangle, width(step))
            return [
                Double(place.x) + width, Double(place.y) + width, max(0, Double(place.width) - 2 * width),
                max(0, Double(place.height) - 2 * width),
            ]
        }
        let radii = keyFrames(tolerance: 0.01) { step in
            let (place, width) = (step.rectangle, width(step))
            let half = Double(min(place.width, place.height)) / 2 - width
            return [half > 0 ? min(1, max(0, step.cornerRadius - width) / half) : 0]
        }
        return (rectangles, radii)
    }

    private func keyFrames(tolerance: Double, _ values: (FeedPlacement) -> [Double]) -> [KeyFrame] {
        KeyFrame.thinned(steps.map { KeyFrame(frame: $0.frame, values: values($0.placement)) }, tolerance: tolerance)
    }
}
