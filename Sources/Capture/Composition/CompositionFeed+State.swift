import Composition
import GStreamer
import Imaging
import MediaTypes

extension CompositionFeed {
    /// What is known of each camera's frames, and what composes them. One thread at a time has it.
    struct State {
        var pairing: FramePairing<ComposableFrame>
        var compositor: VideoCompositor
        /// What each camera's newest frame is when it is upright, once one has come.
        var formats: [ComposedFormat?]
        /// The same as the camera gives it; `nil` where that cannot be composed.
        var delivered: [ComposedFormat?]
        /// What each camera gives, and gave first.
        var (caps, first): ([Caps?], [Caps?])
        /// Of the cameras that do not hang upright.
        let turners: [FrameTurner?]
    }
}

extension CompositionFeed.State {
    /// A camera's frames are so from now on. Returns what is to be told of that.
    mutating func take(_ new: Caps, from camera: Int, named name: String) -> String? {
        let format = ComposedFormat(new)
        let upright = turners[camera].map { turner in format.flatMap { turner.format(of: $0) } } ?? format
        caps[camera] = new
        delivered[camera] = upright == nil ? nil : format
        let change = FrameChange(from: first[camera], to: new)
        first[camera] = first[camera] ?? new
        guard let upright else {
            // What it was stays known: the others go on, with its last frame.
            guard formats[camera] != nil else { return nil }
            let kind = new.first?["format"]?.stringValue ?? new.first?.name ?? "another format"
            return
                "\(name) changed its frames to \(kind), which cannot be composed; its last frame stays until it changes them again."
        }
        formats[camera] = upright
        return change?.composedWords(camera: name)
    }

    /// A camera's frame as it is composed; `nil` where it cannot be.
    func upright(_ buffer: Buffer, from camera: Int) -> ComposableFrame? {
        guard let format = delivered[camera], formats[camera] != nil else { return nil }
        let frame = ComposableFrame(buffer, format)
        return turners[camera].map { $0.turn(frame) } ?? frame
    }

    /// Of each camera's frames; `nil` before all have given one.
    var sizes: [VideoSize]? {
        let sizes = formats.compactMap { $0?.image.size }
        return compositor.format != nil && sizes.count == formats.count ? sizes : nil
    }

    /// The same as they are shown in the composed frame.
    var shownSizes: [VideoSize]? {
        sizes.map { _ in formats.compactMap { $0.map { compositor.shownSize(of: $0) } } }
    }

    /// The frame to be shown; `nil` while cameras are missing, or without memory.
    mutating func compose(_ output: consuming FramePairing<ComposableFrame>.Output) -> CaptureInput.TimedSample? {
        if let main = formats[0] { compositor.prepare(like: main) }
        guard let sizes = shownSizes else { return nil }
        // The only holder of the frames may draw into them.
        var frames: [ComposableFrame?] = []
        swap(&frames, &output.frames)
        let buffer = compositor.compose(
            frames, driver: output.driver, at: output.time, sizes: sizes, silence: output.silence)
        guard let buffer, let format = compositor.format else { return nil }
        return CaptureInput.TimedSample(
            buffer: buffer, caps: format.caps, time: output.time, number: output.number, isStandIn: output.driver > 0)
    }
}
