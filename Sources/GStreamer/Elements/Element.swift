import CGStreamer

/// A GStreamer element: a source, filter or sink, or a bin of them.
package struct Element: Sendable {
    let reference: ObjectReference

    init(adopting element: UnsafeMutablePointer<GstElement>) { reference = ObjectReference(adopting: element) }
    init(retaining element: UnsafeMutablePointer<GstElement>) { reference = ObjectReference(retaining: element) }
    init(sinking element: UnsafeMutablePointer<GstElement>) { reference = ObjectReference(sinking: element) }

    /// Makes an element of the named factory.
    ///
    /// - Throws: ``GStreamerError`` if no installed plugin has that factory.
    package init(_ factory: String, name: String? = nil) throws(GStreamerError) {
        GStreamerLibrary.start()
        guard let element = gst_element_factory_make(factory, name) else {
            throw GStreamerError(element: factory, message: "no installed plugin has an element of this name")
        }
        self.init(sinking: element)
    }

    var pointer: UnsafeMutablePointer<GstElement> { reference.cast() }
    var object: UnsafeMutablePointer<GstObject> { reference.cast() }

    /// Unique in its bin.
    package var name: String { takenString(gst_object_get_name(object)) ?? "" }
    /// Where the element stands, such as "/GstPipeline:pipeline0/GstX264Enc:encoder".
    package var path: String { takenString(gst_object_get_path_string(object)) ?? "" }
    /// The name of the factory that made it, such as "x264enc".
    package var factoryName: String? {
        gst_element_get_factory(pointer).flatMap { factory in
            let feature = UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self)
            return takenString(gst_object_get_name(feature))
        }
    }

    /// A pad that exists, or `nil`.
    package func pad(_ name: String) -> Pad? {
        gst_element_get_static_pad(pointer, name).map { Pad(adopting: $0) }
    }

    /// A new pad from a template, such as a muxer's "video_%u"; the element keeps it as long as it lives.
    ///
    /// - Throws: ``GStreamerError`` if the element has no such template or refuses.
    package func requestPad(_ template: String) throws(GStreamerError) -> Pad {
        guard let pad = gst_element_request_pad_simple(pointer, template) else {
            throw GStreamerError(element: path, message: "it gives no pad “\(template)”")
        }
        return Pad(adopting: pad)
    }
}

extension Element {
    /// Runs whatever state its bin is in, until ``halt()``: for ends that are added while others of the bin still wait for
    /// their first data, which an end that waits with them would hold up.
    package func runByItself() {
        gst_element_set_locked_state(pointer, 1)
        setState(.playing)
    }

    /// Stops an element by itself; who hands it data goes on. Blocks until it has.
    package func halt() { setState(.null) }
}
