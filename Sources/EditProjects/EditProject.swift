package import Imaging
package import MediaTypes

/// A recording of several cameras as an editor takes it up again: the composed movie, each camera's own, and what stood where when.
///
/// All movies begin at the same moment and last equally long, to a frame of each. Names are those of files beside the project.
package struct EditProject: Sendable, Hashable {
    /// One of the movies.
    package struct Movie: Sendable, Hashable {
        /// The file's name without a folder: any bytes, as Linux has them.
        package var fileBytes: [UInt8]
        /// What people call it: the camera's name.
        package var displayName: String
        /// Of its frames, as they are shown.
        package var size: VideoSize
        /// Frames a second.
        package var rate: Fraction
        /// The number of its first frame by its time code, from which editors count.
        package var firstFrame = 0
        /// When its second frame is shown, from the beginning, where the first is shown since whenever that was taken; `nil` where that is not
        /// known.
        package var secondFrame: MediaTime?

        package init(fileBytes: [UInt8], displayName: String, size: VideoSize, rate: Fraction) {
            (self.fileBytes, self.displayName, self.size, self.rate) = (fileBytes, displayName, size, rate)
        }

        package init(fileName: String, displayName: String, size: VideoSize, rate: Fraction) {
            self.init(fileBytes: Array(fileName.utf8), displayName: displayName, size: size, rate: rate)
        }

        /// The file's name as text, as nearly as can be.
        package var fileName: String { String(decoding: fileBytes, as: UTF8.self) }
    }

    /// A layout as somebody asked for it.
    package struct LayoutChoice: Sendable, Hashable {
        package var layout: Layout
        /// The camera in each role; the first is the main one.
        package var order: [Int]
        /// How long the way there takes from what was shown before.
        package var transition: MediaTime
        /// How much of that was over with the first frame: a change may be asked for between two, and below zero before the last
        /// frames of that time have come.
        package var elapsed: MediaTime
        /// Where the way begins, if that was not shown, as it was asked for in a pause.
        package var origin: Origin?

        package struct Origin: Sendable, Hashable {
            package var layout: Layout
            package var order: [Int]

            package init(layout: Layout, order: [Int]) { (self.layout, self.order) = (layout, order) }
        }

        package init(layout: Layout, order: [Int], transition: MediaTime = .zero, elapsed: MediaTime = .zero) {
            (self.layout, self.order, self.transition, self.elapsed) = (layout, order, transition, elapsed)
        }
    }

    /// What stands where from a moment on, until the next step.
    package struct LayoutStep: Sendable, Hashable {
        /// From the movie's beginning.
        package var start: MediaTime
        /// From the back to the front; the feeds are the cameras' numbers.
        package var placements: [FeedPlacement]
        /// Whether a layout begins with it, and it is not just one frame more on the way there.
        package var isCut: Bool
        /// What was asked for, where that is known.
        package var choice: LayoutChoice?

        package init(
            start: MediaTime, placements: [FeedPlacement], isCut: Bool, choice: LayoutChoice? = nil
        ) {
            (self.start, self.placements, self.isCut, self.choice) = (start, placements, isCut, choice)
        }
    }

    /// A place with a name.
    package struct Chapter: Sendable, Hashable {
        /// From the movie's beginning.
        package var start: MediaTime
        package var title: String

        package init(start: MediaTime, title: String) { (self.start, self.title) = (start, title) }
    }

    /// The composed movie.
    package var movie: Movie
    /// Each camera's own, in the order of their numbers.
    package var cameras: [Movie]
    /// Of every movie.
    package var duration: MediaTime
    /// How players turn the composed movie; the cameras' own are shown as they are composed.
    package var orientation = MovieOrientation.upright
    /// Of the composed frames.
    package var matrix = ColorEncoding.Matrix.bt709
    /// What people call each audio track of the movies, the same in all: its microphone's name.
    package var audioTracks = [""]
    /// In order.
    package var steps: [LayoutStep] = []
    package var chapters: [Chapter] = []

    package init(movie: Movie, cameras: [Movie], duration: MediaTime) {
        (self.movie, self.cameras, self.duration) = (movie, cameras, duration)
    }

    /// How many frames the composed movie has at its rate; at least one.
    var frameCount: Int { max(1, frame(at: duration)) }

    /// The number of the composed movie's frame that is nearest to a time.
    func frame(at time: MediaTime) -> Int { Int((time.seconds * movie.rate.doubleValue).rounded()) }

    /// The steps by the frames with which they begin, one for each frame at most, the first at 0.
    var frameSteps: [(frame: Int, step: LayoutStep)] {
        var steps: [(frame: Int, step: LayoutStep)] = []
        for step in self.steps {
            let frame = max(0, frame(at: step.start))
            guard frame < frameCount else { continue }
            if let last = steps.last, last.frame >= frame {
                steps[steps.count - 1].step.placements = step.placements
                steps[steps.count - 1].step.isCut = last.step.isCut || step.isCut
                steps[steps.count - 1].step.choice = step.choice
            } else {
                steps.append((steps.isEmpty ? 0 : frame, step))
            }
        }
        return steps
    }

    /// Where layouts begin, and what they come to in the end.
    var cuts: [(frames: Range<Int>, placements: [FeedPlacement], choice: LayoutChoice?)] {
        let steps = frameSteps
        let begins = steps.indices.filter { $0 == 0 || steps[$0].step.isCut }
        guard !begins.isEmpty else { return [(0..<frameCount, [], nil)] }
        return begins.enumerated().map { number, begin in
            let end = number + 1 < begins.count ? begins[number + 1] : steps.count
            let frames = steps[begin].frame..<(end < steps.count ? steps[end].frame : frameCount)
            return (frames, steps[end - 1].step.placements, steps[begin].step.choice)
        }
    }
}
