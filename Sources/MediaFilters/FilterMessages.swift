import CLibAV
import Foundation
import Threads

/// What the library says of errors while somebody collects it, by thread: it has one callback for all, and tells a caller nothing but
/// a number.
enum FilterMessages {
    private static let messages = Locked<[UInt: [String]]>([:])
    private static var thread: UInt { UInt(pthread_self()) }

    /// Collects what the library says on this thread meanwhile.
    static func collected(_ body: () -> Int32) -> (answer: Int32, messages: [String]) {
        messages.withLock { $0[thread] = [] }
        let answer = body()
        return (answer, messages.withLock { $0.removeValue(forKey: thread) } ?? [])
    }

    /// Takes a line that the library says of an error.
    static func take(_ line: UnsafePointer<CChar>?) {
        guard let line else { return }
        let text = String(cString: line).trimmingCharacters(in: .whitespacesAndNewlines.union(.init(charactersIn: ".")))
        // The same may be said twice.
        messages.withLock { if !text.isEmpty, $0[thread]?.contains(text) == false { $0[thread]?.append(text) } }
    }
}
