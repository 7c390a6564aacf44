import CGStreamer

/// A group of elements, which is an element itself.
package struct Bin: Sendable {
    /// The bin itself.
    package let element: Element

    init(_ element: Element) { self.element = element }

    /// Reads a launch line into a bin whose unlinked pads are its own, as gst-launch would.
    ///
    /// For text that is a launch line by its nature (a `gst:` source), never for text with something pasted in.
    /// - Throws: ``GStreamerError`` for a syntax error or an unknown element; half a pipeline is never returned.
    package init(parsing launchLine: String) throws(GStreamerError) {
        self.init(try Self.parse(launchLine, openingPads: true))
    }

    /// - Parameter openingPads: whether the bin's own pads stand for those that the line leaves open.
    static func parse(_ launchLine: String, openingPads: Bool) throws(GStreamerError) -> Element {
        GStreamerLibrary.start()
        var failure: UnsafeMutablePointer<GError>?
        let parsed = gst_parse_bin_from_description_full(
            launchLine, openingPads ? 1 : 0, nil, GST_PARSE_FLAG_FATAL_ERRORS, &failure)
        if let failure {
            if let parsed { gst_object_unref(parsed) }
            throw GStreamerError(adopting: failure, element: "gst:\(launchLine)")
        }
        guard let parsed else { throw GStreamerError(element: "gst:\(launchLine)", message: "it describes no element") }
        return Element(sinking: parsed)
    }

    var pointer: UnsafeMutablePointer<GstBin> { element.reference.cast() }

    /// Puts an element into the bin.
    ///
    /// - Throws: ``GStreamerError`` if another element of the bin has its name or it is in a bin already.
    package func add(_ child: Element) throws(GStreamerError) {
        // Asked first, because GStreamer's own refusal is a printed warning.
        let reason: String?
        if let parent = gst_object_get_parent(child.object) {
            gst_object_unref(parent)
            reason = "it is in a bin already"
        } else if child.reference.pointer == element.reference.pointer {
            reason = "it is the bin itself"
        } else {
            reason = rushes_bin_has_child(pointer, child.name) != 0 ? "the name is taken" : nil
        }
        guard reason == nil, gst_bin_add(pointer, child.pointer) != 0 else {
            throw GStreamerError(element: element.path, message: "cannot hold \(child.name): \(reason ?? "refused")")
        }
    }

    /// The element of this name anywhere in the bin.
    package func element(named name: String) -> Element? {
        gst_bin_get_by_name(pointer, name).map { Element(adopting: $0) }
    }
}

extension Bin {
    /// Stops all of it, those that run by themselves first: who waits in one is woken. Blocks until they have. False if an element refused.
    @discardableResult
    func stop() -> Bool {
        for child in lockedChildren { child.setState(.null) }
        let hasStopped = element.setState(.null)
        // The streaming threads, which are over, may have added some meanwhile.
        for child in lockedChildren { child.setState(.null) }
        return hasStopped
    }

    /// Those that do not follow its state; ``Element/playWithLockedState()``.
    var lockedChildren: [Element] {
        guard let iterator = gst_bin_iterate_elements(pointer) else { return [] }
        defer { gst_iterator_free(iterator) }
        var (children, value) = ([Element](), GValue())
        while true {
            switch gst_iterator_next(iterator, &value) {
            case GST_ITERATOR_OK:
                if let child = g_value_get_object(&value) {
                    children.append(
                        Element(retaining: UnsafeMutableRawPointer(child).assumingMemoryBound(to: GstElement.self)))
                }
                g_value_unset(&value)
            // One came or went: from the beginning.
            case GST_ITERATOR_RESYNC:
                children.removeAll()
                gst_iterator_resync(iterator)
            default: return children.filter { gst_element_is_locked_state($0.pointer) != 0 }
            }
        }
    }
}
