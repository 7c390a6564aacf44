import Foundation

/// What the process of the tests takes.
package enum ThisProcess {
    /// What each descriptor stands for.
    package static func openFiles() throws -> [Int: String] {
        let folder = "/proc/self/fd"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        // The one that lists them is closed by now.
        let found = names.compactMap { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")).flatMap { target in
                Int(name).map { ($0, target) }
            }
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// In bytes.
    package static var residentMemory: Int { residentMemory(of: "self") }

    static func residentMemory(of process: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}
