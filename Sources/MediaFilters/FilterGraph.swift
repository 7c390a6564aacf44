package import CLibAV

/// Filters of libavfilter, as ffmpeg's `-filter_complex` writes them, with their inputs and one output.
package final class FilterGraph {
    /// What comes in at a label of the graph's text.
    package struct Input {
        let label: String
        /// Of the filter that takes frames in: "buffer", "abuffer".
        let filter: String
        let arguments: String

        package init(_ label: String, filter: String = "buffer", _ arguments: String) {
            (self.label, self.filter, self.arguments) = (label, filter, arguments)
        }
    }

    private let library: FilterLibrary
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var inputs: [UnsafeMutablePointer<AVFilterContext>] = []
    let output: UnsafeMutablePointer<AVFilterContext>

    /// - Parameters:
    ///   - text: its open ends are the inputs' labels, of which one may be left out, and "out", which may be left out too.
    ///   - sink: the filter that hands frames out.
    ///   - formats: a filter before that, and its options, which says what comes out; nil: anything does.
    ///   - isOnlyRead: whether it is to be seen what is wrong with the text, whatever the frames are that come.
    ///   - threads: that filters share among them; 0: as many as there are processors.
    /// - Throws: ``FilterFailure`` with the library's own words.
    package init(
        _ library: FilterLibrary, _ text: String, inputs: [Input], sink: String = "buffersink",
        formats: (filter: String, options: String)? = nil, threads: Int = 1, isOnlyRead: Bool = false
    ) throws(FilterFailure) {
        self.library = library
        let graph = try library.made(library.makeGraph(), "graph of filters")
        graph.pointee.nb_threads = Int32(threads)
        let (sources, ends) = (Ends(library), Ends(library))
        var made: UnsafeMutablePointer<AVFilterGraph>? = graph
        do throws(FilterFailure) {
            func node(_ kind: String, _ name: String, _ arguments: String?) throws(FilterFailure)
                -> UnsafeMutablePointer<AVFilterContext>
            {
                var context: UnsafeMutablePointer<AVFilterContext>?
                let type = try library.made(library.filter(kind), "filter \(kind)")
                try library.checked(kind) { library.makeFilter(&context, type, name, arguments, nil, graph) }
                return try library.made(context, "filter \(kind)")
            }
            output = try node(sink, "output", nil)
            for (index, input) in inputs.enumerated() {
                let source = try node(input.filter, "input\(index)", input.arguments)
                self.inputs.append(source)
                try sources.add(source, input.label)
            }
            let last = try formats.map { (formats) throws(FilterFailure) in
                let last = try node(formats.filter, "formats", formats.options)
                try library.check(library.link(last, 0, output, 0), formats.filter)
                return last
            }
            try ends.add(last ?? output, "out")
            try library.checked("the graph") {
                let parsed = library.parse(graph, text, &ends.first, &sources.first, nil)
                return parsed < 0 || isOnlyRead ? parsed : library.configure(graph, nil)
            }
        } catch {
            library.freeGraph(&made)
            throw error
        }
        self.graph = graph
    }

    deinit { library.freeGraph(&graph) }

    /// Hands a frame over; it is empty afterwards. Nil: no more comes.
    package func add(_ frame: UnsafeMutablePointer<AVFrame>?, to input: Int = 0) throws(FilterFailure) {
        let answer = library.addFrame(inputs[input], frame)
        // They may have what they want, and take no more.
        guard answer != rushes_av_end else { return }
        try library.check(answer, "a filter")
    }

    /// Takes a frame that came out; false where none has.
    package func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(FilterFailure) -> Bool {
        let answer = library.takeFrame(output, frame)
        if answer == rushes_av_again || answer == rushes_av_end { return false }
        try library.check(answer, "a filter")
        return true
    }
}

/// The open ends of a graph that is read from a text.
private final class Ends {
    private let library: FilterLibrary
    var first: UnsafeMutablePointer<AVFilterInOut>?

    init(_ library: FilterLibrary) { self.library = library }

    deinit { library.freeEnds(&first) }

    func add(_ filter: UnsafeMutablePointer<AVFilterContext>, _ label: String) throws(FilterFailure) {
        let end = try library.made(library.makeEnd(), "memory")
        end.pointee.name = library.copyText(label)
        (end.pointee.filter_ctx, end.pointee.pad_idx, end.pointee.next) = (filter, 0, first)
        first = end
    }
}
