package import CLibAV

/// A frame of libavutil, of video or audio, to be filled and emptied in turn.
package final class FilterFrame {
    package let pointer: UnsafeMutablePointer<AVFrame>
    private let library: FilterLibrary

    package init(_ library: FilterLibrary) throws(FilterFailure) {
        self.library = library
        pointer = try library.made(library.makeFrame(), "memory")
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        library.freeFrame(&frame)
    }

    package func empty() { library.emptyFrame(pointer) }

    /// Its planes, for as long as it is not emptied.
    var planes: [(base: UnsafeMutableRawPointer?, bytesPerRow: Int)] {
        let (data, lines) = (pointer.pointee.data, pointer.pointee.linesize)
        return [(data.0, lines.0), (data.1, lines.1), (data.2, lines.2), (data.3, lines.3)]
            .map { (UnsafeMutableRawPointer($0), Int($1)) }
    }

    /// Copies a frame of video into it.
    ///
    /// - Parameter time: in what the graph's input counts in.
    package func fill(_ samples: FramePlanes, at time: Int64) throws(FilterFailure) {
        let format = samples.format
        pointer.pointee.format = format.pixels.rawValue
        (pointer.pointee.width, pointer.pointee.height) = (Int32(format.width), Int32(format.height))
        (pointer.pointee.pts, pointer.pointee.sample_aspect_ratio) = (time, AVRational(num: 1, den: 1))
        try library.check(library.fillFrame(pointer, 0), "memory")
        for (index, (plane, source)) in zip(format.planes, samples.planes).enumerated() {
            let target = planes[index]
            plane.copy(source, to: (try library.made(target.base, "memory"), target.bytesPerRow), format)
        }
    }

    /// Copies audio into it: interleaved samples in floating point.
    ///
    /// - Parameter time: in frames of the audio.
    func fill(_ bytes: UnsafeRawBufferPointer, _ format: AudioFilterFormat, at time: Int64) throws(FilterFailure) {
        pointer.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        pointer.pointee.nb_samples = Int32(bytes.count / (4 * format.channels))
        (pointer.pointee.sample_rate, pointer.pointee.pts) = (Int32(format.rate), time)
        pointer.pointee.ch_layout = format.layout
        try library.check(library.fillFrame(pointer, 0), "memory")
        guard let source = bytes.baseAddress else { return }
        try library.made(planes[0].base, "memory").copyMemory(from: source, byteCount: bytes.count)
    }
}
