import CLibAV
import Errors

/// A filter of libavfilter with its inputs and its output.
final class FilterGraph {
    private let library: AnimationLibrary
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var inputs: [UnsafeMutablePointer<AVFilterContext>] = []
    private let output: UnsafeMutablePointer<AVFilterContext>

    init(_ library: AnimationLibrary, _ filter: String, _ options: String, inputs: [AnimationFormat])
        throws(RushesError)
    {
        self.library = library
        let graph = try library.made(library.makeGraph(), "graph of filters")
        graph.pointee.nb_threads = 1
        var made: UnsafeMutablePointer<AVFilterGraph>? = graph
        do throws(RushesError) {
            func node(_ kind: String, _ name: String, _ arguments: String?) throws(RushesError)
                -> UnsafeMutablePointer<AVFilterContext>
            {
                var context: UnsafeMutablePointer<AVFilterContext>?
                let type = try library.made(library.filter(kind), "filter \(kind)")
                try library.check(library.makeFilter(&context, type, name, arguments, nil, graph), kind)
                return try library.made(context, "filter \(kind)")
            }
            let main = try node(filter, filter, options)
            output = try node("buffersink", "output", nil)
            for (index, input) in inputs.enumerated() {
                let source = try node("buffer", "input\(index)", input.source)
                let last = try input.conversion.map { options throws(RushesError) in
                    let conversion = try node("scale", "conversion\(index)", options)
                    try library.check(library.link(source, 0, conversion, 0), "scale")
                    return conversion
                }
                try library.check(library.link(last ?? source, 0, main, UInt32(index)), filter)
                self.inputs.append(source)
            }
            try library.check(library.link(main, 0, output, 0), filter)
            try library.check(library.configure(graph, nil), filter)
        } catch {
            library.freeGraph(&made)
            throw error
        }
        self.graph = graph
    }

    deinit { library.freeGraph(&graph) }

    /// Hands a frame over; it is empty afterwards. Nil: no more comes.
    func add(_ frame: UnsafeMutablePointer<AVFrame>?, to input: Int = 0) throws(RushesError) {
        try library.check(library.addFrame(inputs[input], frame), "a filter")
    }

    /// Takes a frame that came out; false where none has.
    func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(RushesError) -> Bool {
        let answer = library.takeFrame(output, frame)
        if answer == rushes_av_again || answer == rushes_av_end { return false }
        try library.check(answer, "a filter")
        return true
    }
}

/// A frame of libavutil, to be filled and emptied in turn.
final class AnimationFrame {
    let pointer: UnsafeMutablePointer<AVFrame>
    private let library: AnimationLibrary

    init(_ library: AnimationLibrary) throws(RushesError) {
        self.library = library
        pointer = try library.made(library.makeFrame(), "memory")
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        library.freeFrame(&frame)
    }

    func empty() { library.emptyFrame(pointer) }

    /// Copies samples into it.
    ///
    /// - Parameter time: in hundredths of a second.
    func fill(_ samples: AnimationPlanes, at time: Int) throws(RushesError) {
        let format = samples.format
        pointer.pointee.format = format.pixels.rawValue
        (pointer.pointee.width, pointer.pointee.height) = (Int32(format.width), Int32(format.height))
        (pointer.pointee.pts, pointer.pointee.sample_aspect_ratio) = (Int64(time), AVRational(num: 1, den: 1))
        try library.check(library.fillFrame(pointer, 0), "memory")
        let frame = pointer.pointee
        let bases = [frame.data.0, frame.data.1, frame.data.2, frame.data.3]
        let strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3].map { Int($0) }
        for (index, (plane, source)) in zip(format.planes, samples.planes).enumerated() {
            let base = UnsafeMutableRawPointer(try library.made(bases[index], "memory"))
            for row in 0..<plane.rows(format.height) {
                (base + row * strides[index]).copyMemory(
                    from: source.base + row * source.bytesPerRow, byteCount: plane.bytes(format.width))
            }
        }
    }
}
