import Foundation
import Testing

@Suite("The rules of the sources") struct SourceRulesTests {
    private static let sources: [(name: String, text: String)] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/GStreamer")
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.compactMap { name in
            (try? String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)).map { (name, $0) }
        }
    }()

    @Test(
        "Nothing that input or a device can cause ends the program",
        arguments: ["fatalError(", "try!", "preconditionFailure(", "as!"])
    func noTraps(word: String) {
        #expect(Self.sources.count > 25)
        #expect(Self.sources.filter { $0.text.contains(word) }.map(\.name) == [])
    }

    @Test("Four types promise the compiler what it cannot see, and no more") func promises() {
        let files = Self.sources.filter { $0.text.contains(": @unchecked Sendable") }.map(\.name).sorted()
        #expect(
            files == [
                "Data/FramePool.swift", "Data/VideoFrameLayout.swift", "Objects/References.swift",
            ])
        #expect(Self.sources.allSatisfy { !$0.text.contains("nonisolated(unsafe)") })
    }

    @Test("No setter is variadic, and no wait is without end") func calls() {
        for word in ["withVaList", "g_object_set(", "timed_pop", "GST_CLOCK_TIME_NONE", "setenv", "sleep("] {
            let names = Self.sources.filter { $0.text.contains(word) }.map(\.name)
            #expect(names.allSatisfy { $0 == "Data/ClockTime.swift" }, "\(word): \(names)")
        }
    }
}
