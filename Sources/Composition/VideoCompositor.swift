package import GStreamer
package import Imaging
package import MediaTypes

/// Several feeds' frames drawn into one, each where the layout of its time has it; the same for cameras and for movies.
package struct VideoCompositor {
    private var schedule: LayoutSchedule
    package private(set) var history = LayoutHistory()
    private var canvas: CompositionCanvas?
    private let keepsChroma: Bool
    /// Where each feed stood in the last composed frame, from the back to the front.
    package private(set) var placements: [FeedPlacement] = []

    /// - Parameters:
    ///   - feeds: how many there are, the main one first.
    ///   - keepsChroma: whether 4:2:2 of the main feed stays that; else composed frames are 4:2:0.
    package init(_ layout: Layout, feeds: Int, keepsChroma: Bool = false) {
        schedule = LayoutSchedule(layout, cameras: feeds)
        self.keepsChroma = keepsChroma
    }

    /// How large a feed's frame is in pixels of the composed one, which may be of another shape; its own size before ``prepare(like:)``.
    package func shownSize(of feed: ComposedFormat) -> VideoSize {
        format.map { feed.shownSize(inPixelsOf: $0) } ?? feed.image.size
    }

    /// Of the composed frames; `nil` before ``prepare(like:)``.
    package var format: ComposedFormat? { canvas?.format }

    /// Has composed frames be as large as the main feed's first one, and of its colours.
    package mutating func prepare(like main: ComposedFormat) {
        if canvas == nil { canvas = CompositionCanvas(like: main, keepsChroma: keepsChroma) }
    }

    /// - Parameter sizes: of each feed's frames, by ``shownSize(of:)``.
    /// - Throws: ``RushesError`` if the layout cannot be had with these.
    package func check(_ layout: Layout, sizes: [VideoSize]) throws {
        guard let output = format?.image.size else { return }
        try schedule.check(layout, output: output, sizes: sizes)
    }

    /// Goes to another layout from a time on.
    package mutating func make(_ change: LayoutChange, at time: MediaTime, over duration: MediaTime, sizes: [VideoSize])
    {
        guard let output = format?.image.size else { return }
        schedule.make(change, at: time, over: duration, output: output, sizes: sizes)
    }

    /// - Parameters:
    ///   - frames: each feed's, `nil` where it has none; where nobody else holds the driver's, it is drawn into.
    ///   - driver: the feed whose buffer says when the frame is shown and what belongs to it.
    ///   - sizes: of each feed's frames, by ``shownSize(of:)``.
    ///   - silence: for how long each feed has said nothing, if it is silent.
    /// - Returns: `nil` before ``prepare(like:)``, or without memory.
    package mutating func compose(
        _ frames: consuming [ComposableFrame?], driver: Int, at time: MediaTime, sizes: [VideoSize],
        silence: [MediaTime?] = []
    ) -> Buffer? {
        guard let canvas else { return nil }
        // One that waited may be of another size than the newest.
        let formats = frames.map { $0?.format }
        let sizes = zip(formats, sizes).map { $0.map(shownSize) ?? $1 }
        let missing = Set(frames.indices.filter { frames[$0] == nil })
        placements = schedule.placements(
            at: time, output: canvas.format.image.size, sizes: sizes, silence: silence, missing: missing)
        for index in placements.indices {
            // What is cropped is in the frame's own pixels.
            let feed = placements[index].feed
            guard let own = formats[feed]?.image.size.width, own != sizes[feed].width else { continue }
            placements[index].crop.x *= Double(own) / Double(sizes[feed].width)
            placements[index].crop.width *= Double(own) / Double(sizes[feed].width)
        }
        history.note(placements, at: time, schedule.shown(at: time, silence, missing))
        return canvas.draw(frames, driver: driver, at: placements)
    }
}
