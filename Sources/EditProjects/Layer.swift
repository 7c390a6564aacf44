import Imaging

/// One of the layers of frames that are drawn over each other, as an editor's track: clips, with the way of each in key frames.
/// Cameras that change places change their layers.
struct Layer {
    /// A camera that stays in the layer for a while.
    struct Clip {
        let camera: Int
        /// Of the composed movie, and of the camera's at the same rate.
        var frames: Range<Int>
        /// What of the camera's frame is seen once it has come to its place: an editor's crop does not move.
        var crop: CropRectangle
        /// Numbered by the composed movie's frames; those that do not follow from others.
        var keyFrames: [KeyFrame]
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
                if !step.isCut, let last = clips.last, last.camera == clip.camera, last.goesOn(in: clip) {
                    clips[clips.count - 1].append(clip)
                } else {
                    clips.append(clip)
                }
            }
            return Layer(joining: clips)
        }
    }

    /// Where a layout begins and nothing else is seen of a camera than before, its clip goes on.
    private init(joining clips: [Clip]) {
        var joined: [Clip] = []
        for clip in clips {
            if let last = joined.last, last.camera == clip.camera, last.crop == clip.crop, last.goesOn(in: clip) {
                joined[joined.count - 1].append(clip)
            } else {
                joined.append(clip)
            }
        }
        for index in joined.indices { joined[index].keyFrames = KeyFrame.thinned(joined[index].keyFrames) }
        self.clips = joined
    }
}

extension Layer.Clip {
    fileprivate init(_ placement: FeedPlacement, _ frames: Range<Int>) {
        (camera, crop, self.frames) = (placement.feed, placement.crop, frames)
        keyFrames = [KeyFrame(frames.lowerBound, placement)]
        // It stays until the next step, and does not set out for it.
        if frames.count > 1 { keyFrames.append(KeyFrame(frames.upperBound - 1, placement)) }
    }

    fileprivate func goesOn(in next: Self) -> Bool { frames.upperBound == next.frames.lowerBound }

    fileprivate mutating func append(_ next: Self) {
        frames = frames.lowerBound..<next.frames.upperBound
        crop = next.crop
        keyFrames += next.keyFrames
    }
}
