import CGStreamer
import Foundation

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
            throw GStreamerError(element: factory, message: Self.absence(of: factory))
        }
        self.init(sinking: element)
    }

    /// Why there is no such element, for people: the registry knows what could not be loaded too.
    private static func absence(of factory: String) -> String {
        guard ElementFactory(factory) != nil else { return "no installed plugin has an element of this name" }
        var limit = rlimit()
        let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 && limit.rlim_cur < 1 << 40
        return "its plugin is installed and could not be loaded"
            + (isLimited
                ? "; this process may use only \(limit.rlim_cur / 1_000_000) MB of memory, raise the limit (ulimit -v)"
                : "")
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
    /// Runs whatever state its bin is in, until its pipeline is stopped: for ends that are added while others of the bin still wait for
    /// their first data, which an end that waits with them would hold up.
    package func playWithLockedState() {
        gst_element_set_locked_state(pointer, 1)
        setState(.playing)
    }

    /// Stops an element by itself; who hands it data goes on. Blocks until it has.
    package func stop() { setState(.null) }
}

extension Element {
    /// The name of the first pad template that is given on request in this direction, such as "src_%u".
    func requestTemplate(isSource: Bool) -> String? {
        let direction = isSource ? GST_PAD_SRC : GST_PAD_SINK
        var node = gst_element_get_pad_template_list(pointer)
        while let entry = node {
            if let template = entry.pointee.data?.assumingMemoryBound(to: GstPadTemplate.self),
                template.pointee.direction == direction, template.pointee.presence == GST_PAD_REQUEST
            {
                return copiedString(template.pointee.name_template)
            }
            node = entry.pointee.next
        }
        return nil
    }

    /// A free input that can take what the output gives, requested if need be.
    func compatiblePad(for source: Pad) -> Pad? {
        gst_element_get_compatible_pad(pointer, source.pointer, nil).map { Pad(adopting: $0) }
    }
}

extension Element {
    /// Goes to a time of the stream, in nanoseconds, and throws away what is on its way. Blocks until all are told.
    ///
    /// - Parameter place: exactly there, so that decoders throw away what comes before; or at the last frame before that can
    ///   be decoded by itself, with all that follows it.
    /// - Returns: false where the stream cannot be sought in.
    package func seek(to time: MediaTime, _ place: SeekPlace = .exact) -> Bool {
        let how =
            switch place {
            case .exact: GST_SEEK_FLAG_ACCURATE.rawValue
            case .keyFrameBefore: GST_SEEK_FLAG_KEY_UNIT.rawValue | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
            }
        let flags = GstSeekFlags(GST_SEEK_FLAG_FLUSH.rawValue | how)
        return gst_element_seek_simple(pointer, GST_FORMAT_TIME, flags, gint64(time.nanoseconds)) != 0
    }
}

/// Where a seek ends.
package enum SeekPlace: Sendable, Hashable { case exact, keyFrameBefore }
