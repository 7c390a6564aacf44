import CGIO
import Threads

/// A thread that runs what GIO has to say about one connection, and all that is asked of it, in order.
///
/// GIO delivers replies and signals to the main context of the thread that asked; Swift's threads run none.
final class BusThread: @unchecked Sendable {
    // The context and the loop are made for use by several threads.
    private let context: OpaquePointer?
    private let loop: OpaquePointer?
    /// What is to be run, in order. GLib is only told that there is something: so the thread sanitizer, which does not see
    /// GLib's own locks, sees how closures are handed over.
    private let asked = Asked([])

    init() {
        context = g_main_context_new()
        loop = g_main_loop_new(context, 0)
        let pointers = Pointers(context: context, loop: loop)
        OwnThread.run("rushes-bus") {
            g_main_context_push_thread_default(pointers.context)
            g_main_loop_run(pointers.loop)
            // A connection that was closed has one thing more to say, and until it is said both hold each other.
            while g_main_context_iteration(pointers.context, 0) != 0 {}
            g_main_context_pop_thread_default(pointers.context)
            g_main_loop_unref(pointers.loop)
            g_main_context_unref(pointers.context)
        }
    }

    /// Ends the thread after what was asked before. Called once, as the last thing.
    func end() {
        let pointers = Pointers(context: nil, loop: loop)
        run { g_main_loop_quit(pointers.loop) }
    }

    /// Runs the closure on this thread; not at once even when called on it.
    func run(_ body: @escaping @Sendable () -> Void) {
        asked.withLock { $0.append(body) }
        // What ends the thread takes the context away with it, while this still gives the source back (GLib 2.74 locks a
        // source's context for that).
        g_main_context_ref(context)
        defer { g_main_context_unref(context) }
        let source = g_idle_source_new()
        g_source_set_priority(source, G_PRIORITY_DEFAULT)
        g_source_set_callback(
            source,
            { data in
                data.map { Unmanaged<Asked>.fromOpaque($0).takeUnretainedValue().withLock { $0.removeFirst() }() }
                return 0
            }, Unmanaged.passRetained(asked).toOpaque(),
            { data in data.map { Unmanaged<Asked>.fromOpaque($0).release() } })
        g_source_attach(source, context)
        g_source_unref(source)
    }

    private typealias Asked = Locked<[@Sendable () -> Void]>

    private struct Pointers: @unchecked Sendable {
        let context: OpaquePointer?
        let loop: OpaquePointer?
    }
}
