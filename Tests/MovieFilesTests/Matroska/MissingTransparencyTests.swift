import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Whether frames that are called transparent are so is told by the first of them.
@Suite struct MissingTransparencyTests {
    /// A file of a track of video with a frame, behind which nothing can be read.
    private func isFound(alphaMode: UInt64, beside addition: [UInt8]?) throws -> Bool {
        var file = EBMLWriter()
        file.master(.ebml) { $0.text(.docType, "webm") }
        file.master(.segment) { segment in
            segment.master(.tracks) { list in
                list.master(.trackEntry) { entry in
                    entry.unsigned(.trackNumber, 1)
                    entry.unsigned(.trackType, 1)
                    entry.text(.codecID, "V_VP9")
                    entry.master(.video) { $0.unsigned(.alphaMode, alphaMode) }
                }
            }
            segment.master(.cluster) { cluster in
                cluster.unsigned(.timestamp, 0)
                cluster.master(.blockGroup) { group in
                    group.data(.block, [0x81, 0, 0, 0, 0x82])
                    guard let addition else { return }
                    group.master(.blockAdditions) { additions in
                        additions.master(.blockMore) { $0.data(.blockAdditional, addition) }
                    }
                }
            }
            // No element begins so.
            segment.append(contentsOf: [UInt8](repeating: 0, count: 64))
        }
        let url = Scratch.directory.unique("webm")
        try Data(file.bytes).write(to: url)
        return MissingTransparency.isFound(in: FilePath(url.path))
    }

    @Test func `what is damaged behind the first frame does not matter`() throws {
        #expect(try isFound(alphaMode: 1, beside: nil))
        #expect(try !isFound(alphaMode: 1, beside: [1, 2, 3]))
        #expect(try !isFound(alphaMode: 0, beside: nil))
    }
}
