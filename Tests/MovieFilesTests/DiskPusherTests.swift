import Foundation
import SystemPackage
import Testing

@testable import MovieFiles

@Suite("DiskPusher", .timeLimit(.minutes(10)))
struct DiskPusherTests {
    @Test("never makes the writer wait, and ends with all its requests done or dropped")
    func pushing() throws {
        let url = Scratch.directory.unique("data")
        let descriptor = try FileDescriptor.open(
            FilePath(url.path), .readWrite, options: [.create], permissions: .ownerReadWrite)
        let pusher = try #require(WritebackThread(descriptor))
        for _ in 0..<1000 {
            try descriptor.writeAll([1, 2, 3])
            pusher.push()
        }
        // The owner may close theirs first.
        try descriptor.close()
        pusher.stop()
        pusher.push()
        pusher.stop()
        #expect(try Data(contentsOf: url).count == 3000)
    }
}
