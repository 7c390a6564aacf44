import Imaging
package import MediaTypes
package import SystemPackage

/// What is known of a photo before it is decoded.
package struct PhotoFile: Sendable, Hashable {
    package let path: FilePath
    /// When it was taken; nil where it does not say.
    package private(set) var date: PhotoDate?
    package private(set) var orientation = PhotoOrientation()
    /// As stored, before it is turned; nil where only decoding tells.
    package private(set) var size: VideoSize?
    package let kind: Kind

    /// What reads it.
    package enum Kind: Sendable, Hashable {
        /// ``JPEGDecoder``.
        case jpeg
        /// ``HEIFPhoto``.
        case heif
        /// ``RawPhoto``.
        case raw
        /// GStreamer, as a whole and turned as far as its pixels need not change places with others of another row.
        case tiff
        /// GStreamer.
        case other
    }

    /// As shown.
    package var shownSize: VideoSize? { size.map { shown($0) } }

    /// A size as it is shown.
    package func shown(_ size: VideoSize) -> VideoSize {
        orientation.rotation.swapsWidthAndHeight ? VideoSize(size.height, size.width) : size
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
            kind = Self.kind(path, bytes)
            let read = { (offset: Int, count: Int) in (try? file.bytes(upTo: count, at: offset)) ?? [] }
            switch kind {
            case .jpeg:
                size = JPEGHeader(bytes)?.size
                if size == nil {
                    bytes = try file.bytes(upTo: Self.longestHeadSize)
                    size = JPEGHeader(bytes)?.size
                }
                let tags = bytes.withUnsafeBytes { PhotoTags($0) }
                (date, orientation) = (tags.date, tags.orientation)
            case .heif:
                // What cannot be read is told when it is to be decoded. It comes turned.
                let photo = try? HEIFPhoto(path)
                date = photo?.tags.flatMap { TIFFTags($0) }?.date
                size = photo?.size
            case .raw:
                let photo = try? RawPhoto(path)
                date = TIFFTags(read)?.date ?? photo?.date
                (size, orientation) = (photo?.size, photo?.orientation ?? PhotoOrientation())
            case .tiff:
                let tags = TIFFTags(read)
                date = tags?.date
                // gdk-pixbuf's, which is libtiff's: rows and columns come in their order, but are not exchanged.
                orientation =
                    [5: 5, 7: 5, 6: 7, 8: 7][tags?.orientation ?? 1].map { PhotoOrientation(exif: $0) } ?? .init()
            case .other:
                let tags = TagChunks.tags(read).flatMap { TIFFTags($0) }
                date = tags?.date
                orientation = PhotoOrientation(exif: tags?.orientation ?? 1)
            }
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

    private static func kind(_ path: FilePath, _ head: [UInt8]) -> Kind {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if HEIFPhoto.begins(head) { return .heif }
        if RawPhoto.hasEnding(path) { return .raw }
        let isTIFF = [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42]].contains { head.starts(with: $0) }
        return isTIFF ? .tiff : .other
    }

    /// Bytes that the tags, with a small image among them, and the frame's header lie in as a rule.
    private static let headSize = 96 << 10
    /// Where there are more before the frame's header, as from phones that store a second photo there.
    private static let longestHeadSize = 8 << 20
}

extension FileDescriptor {
    /// Its bytes from an offset on; fewer where it has no more.
    fileprivate func bytes(upTo count: Int, at offset: Int = 0) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...])
                let number = try read(
                    fromAbsoluteOffset: Int64(offset + initialized), into: rest, retryOnInterrupt: true)
                guard number > 0 else { return }
                initialized += number
            }
        }
    }
}

/// Why a photo cannot be shown, in words that follow its name.
package enum PhotoFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// With its library's words.
    case damaged(String)
    /// What decodes it is not installed.
    case noDecoder(kind: String, package: String)

    package var description: String {
        switch self {
        case .damaged(let words): "it is damaged (\(words))"
        case .noDecoder(let kind, let package): "nothing here decodes \(kind); install \(package)"
        }
    }
}
