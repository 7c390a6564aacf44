import Imaging
package import MediaTypes
package import SystemPackage

/// What is known of a photo before it is decoded.
package struct PhotoFile: Sendable, Hashable {
    package let path: FilePath
    /// When it was taken; nil where it does not say.
    package let date: PhotoDate?
    package let orientation: PhotoOrientation
    /// As stored, before it is turned; nil where only decoding tells.
    package let size: VideoSize?
    /// Whether ``JPEGDecoder`` reads it.
    package let isJPEG: Bool

    /// As shown.
    package var shownSize: VideoSize? {
        size.map { orientation.rotation.swapsWidthAndHeight ? VideoSize($0.height, $0.width) : $0 }
    }

    /// Reads the beginning of the file. Blocks.
    ///
    /// - Throws: `Errno` if it cannot be read.
    package init(_ path: FilePath) throws(Errno) {
        self.path = path
        do {
            // Without blocking: opening a FIFO would wait for its writer.
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            defer { try? file.close() }
            var bytes = try file.bytes(upTo: Self.headSize)
            isJPEG = bytes.starts(with: [0xFF, 0xD8, 0xFF])
            var size = isJPEG ? JPEGHeader(bytes)?.size : nil
            if isJPEG, size == nil {
                bytes = try file.bytes(upTo: Self.longestHeadSize)
                size = JPEGHeader(bytes)?.size
            }
            self.size = size
            let tags = bytes.withUnsafeBytes { PhotoTags($0) }
            (date, orientation) = (tags.date, tags.orientation)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// All of the file. Blocks.
    package func bytes() throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        defer { try? file.close() }
        return try file.bytes(upTo: Int(try file.seek(offset: 0, from: .end)))
    }

    /// Bytes that the tags, with a small image among them, and the frame's header lie in as a rule.
    private static let headSize = 96 << 10
    /// Where there are more before the frame's header, as from phones that store a second photo there.
    private static let longestHeadSize = 8 << 20
}

extension FileDescriptor {
    /// Its first bytes; fewer where it has no more.
    fileprivate func bytes(upTo count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...])
                let number = try read(fromAbsoluteOffset: Int64(initialized), into: rest, retryOnInterrupt: true)
                guard number > 0 else { return }
                initialized += number
            }
        }
    }
}
