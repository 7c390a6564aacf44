import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Workarounds

@Suite struct LeftDescriptorsTests {
    @Test func `a descriptor that was left leads to nothing, keeps its number, and others stay as they are`() throws {
        let folder = try TemporaryFolder()
        let (left, other) = (folder.file("video9"), folder.file("video90"))
        for path in [left, other] { try Data("frames".utf8).write(to: URL(filePath: path)) }
        let descriptors = [left, left, other].map { (path: String) in open(path, O_RDONLY | O_CLOEXEC) }
        defer { for descriptor in descriptors { close(descriptor) } }
        LeftDescriptors.release(left)
        func readable(_ descriptor: Int32) -> Int {
            var bytes = [UInt8](repeating: 0, count: 16)
            return read(descriptor, &bytes, bytes.count)
        }
        #expect(descriptors.map(readable) == [0, 0, 6])
        #expect(descriptors.allSatisfy { fcntl($0, F_GETFD) == FD_CLOEXEC })
    }

    @Test func `a device file that went with its cable is let go of too`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("video9")
        try Data("frames".utf8).write(to: URL(filePath: path))
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        try FileManager.default.removeItem(atPath: path)
        LeftDescriptors.release(path)
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(descriptor, &bytes, bytes.count) == 0)
    }
}
