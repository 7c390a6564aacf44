import CGStreamer

/// How far an element is from flowing data.
package enum ElementState: Int, Sendable, Comparable {
    /// Nothing is open.
    case null = 1
    /// Devices and libraries are open.
    case ready
    /// Ready to flow; sinks hold their first buffer.
    case paused
    case playing

    init?(_ state: GstState) { self.init(rawValue: Int(state.rawValue)) }
    var cValue: GstState { GstState(rawValue: UInt32(rawValue)) }

    package static func < (left: ElementState, right: ElementState) -> Bool { left.rawValue < right.rawValue }
}

extension Element {
    /// Where it is now; a change under way is not waited for.
    package var currentState: ElementState {
        var state = GST_STATE_NULL
        gst_element_get_state(pointer, &state, nil, 0)
        return ElementState(state) ?? .null
    }

    /// Asks for a state; blocks as long as the elements do. False if the element refused; the bus says why.
    @discardableResult
    func setState(_ state: ElementState) -> Bool {
        gst_element_set_state(pointer, state.cValue) != GST_STATE_CHANGE_FAILURE
    }
}
