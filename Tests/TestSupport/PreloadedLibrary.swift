/// A library of scripts/lib that changes how the system answers a program, for `LD_PRELOAD`.
public enum PreloadedLibrary {
    /// Compiles scripts/lib/NAME.c, and returns the library's path.
    public static func build(_ name: String, in folder: TemporaryFolder) async throws -> String {
        let library = folder.file("\(name).so")
        let source = Checkout.script("lib/\(name).c")
        _ = try await Tool.succeed("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"])
        return library
    }
}
