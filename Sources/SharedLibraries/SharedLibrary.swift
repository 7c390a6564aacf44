import Foundation

/// A C library that is there or not: loaded when something needs it for the first time, and kept.
///
/// Linked, it would have to be installed for every use of Rushes, and bring its decoders into each process.
package struct SharedLibrary: @unchecked Sendable {
    // The handle is only handed to dlsym, which any thread may call.
    private let handle: UnsafeMutableRawPointer

    /// - Parameter name: with its version, as the loader finds it: `libheif.so.1`.
    /// - Throws: ``Missing`` where it is not installed.
    package init(_ name: String) throws(Missing) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { throw Missing() }
        self.handle = handle
    }

    /// Looks in the library, and in those that it is linked with.
    ///
    /// - Parameter type: that of the C function.
    /// - Throws: ``Missing`` where none has this name.
    package func function<Function>(_ name: String, _ type: Function.Type = Function.self) throws(Missing) -> Function {
        guard let symbol = dlsym(handle, name) else { throw Missing() }
        return unsafeBitCast(symbol, to: Function.self)
    }

    package struct Missing: Error {
        package init() {}
    }
}
