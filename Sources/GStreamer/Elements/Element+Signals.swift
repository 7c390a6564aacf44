import CGStreamer

extension Element {
    /// Calls the closure for each output that the element gets while it runs, on a streaming thread. It must not hold the
    /// element, which keeps it as long as it lives.
    package func onPadAdded(_ body: @escaping @Sendable (Pad) -> Void) {
        let box = ClosureBox(body)
        let handler: @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = { _, pad, data in
            guard let pad, let body = ClosureBox<@Sendable (Pad) -> Void>.body(data) else { return }
            gst_object_ref(pad)
            body(Pad(adopting: pad))
        }
        connect("pad-added", unsafeBitCast(handler, to: GCallback.self), box.retained())
    }

    /// Calls the closure for each element that a bin puts into itself, under the same rules.
    package func onElementAdded(_ body: @escaping @Sendable (Element) -> Void) {
        let box = ClosureBox(body)
        let handler: @convention(c) (gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void = {
            _, element, data in
            guard let element, let body = ClosureBox<@Sendable (Element) -> Void>.body(data) else { return }
            gst_object_ref(element)
            body(Element(adopting: element))
        }
        connect("element-added", unsafeBitCast(handler, to: GCallback.self), box.retained())
    }

    /// Calls the closure once an element has named all its outputs, under the same rules.
    package func onNoMorePads(_ body: @escaping @Sendable () -> Void) {
        let box = ClosureBox(body)
        let handler: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
            ClosureBox<@Sendable () -> Void>.body(data)?()
        }
        connect("no-more-pads", unsafeBitCast(handler, to: GCallback.self), box.retained())
    }

    /// Asks the closure whether a `decodebin` may take an element that the factory makes, on a streaming thread. It must not
    /// hold the element, which keeps it as long as it lives.
    package func onAutoplug(_ mayTake: @escaping @Sendable (ElementFactory) -> Bool) {
        typealias Handler =
            @convention(c) (
                gpointer?, UnsafeMutablePointer<GstPad>?, UnsafeMutablePointer<GstCaps>?, OpaquePointer?, gpointer?
            ) -> gint
        let box = ClosureBox(mayTake)
        let handler: Handler = { _, _, _, factory, data in
            guard let factory, let mayTake = ClosureBox<@Sendable (ElementFactory) -> Bool>.body(data) else { return 0 }
            // GstAutoplugSelectResult is in no header: 0 tries the factory, 2 skips it.
            return mayTake(ElementFactory(retaining: factory)) ? 0 : 2
        }
        connect("autoplug-select", unsafeBitCast(handler, to: GCallback.self), box.retained())
    }

    private func connect(_ signal: String, _ handler: GCallback, _ data: gpointer) {
        // The closure's own destroy notify has one argument more.
        g_signal_connect_data(
            reference.pointer, signal, handler, data, { data, _ in releaseClosureBox(data) }, GConnectFlags(rawValue: 0)
        )
    }

    /// Follows the state of the bin that the element has just been put into.
    package func followParentState() { gst_element_sync_state_with_parent(pointer) }
}
