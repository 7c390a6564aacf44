import CGStreamer

extension Bin {
    /// Reads a launch line that makes data into a bin with one output, "src": the last open one of its elements.
    ///
    /// Not with the parser's own ghost pads: those take any open pad, also inside a decodebin, and the input of an element
    /// that waits for a pad which only comes while the line runs (`filesrc location=… ! decodebin ! videoconvert`).
    /// - Throws: ``GStreamerError`` for a syntax error, an unknown element, or a line without an open end.
    package init(parsingSource launchLine: String) throws(GStreamerError) {
        self.init(try Self.parse(launchLine, openingPads: false))
        guard let end = openSourcePad(), let ghost = gst_ghost_pad_new("src", end.pointer) else {
            throw GStreamerError(element: "gst:\(launchLine)", message: "it has no open end")
        }
        gst_element_add_pad(element.pointer, ghost)
    }

    /// The open output of the element that was added last and has one.
    private func openSourcePad() -> Pad? {
        var child = pointer.pointee.children  // the youngest first
        while let entry = child {
            if let element = entry.pointee.data?.assumingMemoryBound(to: GstElement.self) {
                var node = element.pointee.srcpads
                while let padEntry = node {
                    if let pad = padEntry.pointee.data, gst_pad_is_linked(pad.assumingMemoryBound(to: GstPad.self)) == 0
                    {
                        gst_object_ref(pad)
                        return Pad(adopting: pad.assumingMemoryBound(to: GstPad.self))
                    }
                    node = padEntry.pointee.next
                }
            }
            child = entry.pointee.next
        }
        return nil
    }
}
