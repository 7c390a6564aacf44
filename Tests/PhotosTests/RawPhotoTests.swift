import Foundation
import Photos
import SystemPackage
import TestSupport
import Testing

@Suite struct RawPhotoTests {
    /// What LibRaw hands out of a file that is cut off ends with whatever was in the memory, which may be another JPEG's end.
    @Test func `only bytes that the file has are this photo's`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("shot.dng")
        // Nothing comes twice in it, and the middle lies across two pieces that are read.
        let content = (0..<400_000).flatMap { number in withUnsafeBytes(of: Int32(number)) { Array($0) } }
        try Data(content).write(to: URL(filePath: path))
        func isThere(_ bytes: some Sequence<UInt8>) -> Bool {
            Array(bytes).withUnsafeBytes { RawPhoto.holds($0[...], FilePath(path)) }
        }
        for start in [0, (1 << 20) - 2000, content.count - 4096] { #expect(isThere(content[start..<start + 4096])) }
        #expect(!isThere(content.suffix(4000) + [UInt8](repeating: 7, count: 96)))
        #expect(!isThere([UInt8](repeating: 7, count: 4096)))
    }
}
