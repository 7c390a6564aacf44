import Foundation

enum StandardError {
    static func print(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}

enum StandardOutput {
    /// A line must reach a reader before the next event, not when a buffer is full.
    static func flush() { fflush(nil) }
}
