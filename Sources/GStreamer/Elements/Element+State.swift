import CGStreamer
import Threads

extension Element {
    /// Runs whatever state its bin is in, until ``halt()``: for ends that are added while others of the bin still wait for
    /// their first data, which an end that waits with them would hold up.
    public func runByItself() {
        gst_element_set_locked_state(pointer, 1)
        setState(.playing)
    }

    /// Stops an element by itself; who hands it data goes on. Blocks until it has.
    public func halt() { setState(.null) }
}

extension Pipeline {
    /// Asks for a state without waiting for it; what fails is told on the bus. Blocks only as long as the elements do.
    public func begin(_ state: ElementState, within seconds: Double = 10) async {
        let element = bin.element
        _ = await onOwnThread("rushes-state", orAfter: seconds, otherwise: false) { element.setState(state) }
    }
}
