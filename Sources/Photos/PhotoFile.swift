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
    /// Why it cannot be shown although it is whole.
    package private(set) var refusal: PhotoFailure?
    /// What its colors are called, where they are others than sRGB's: "Display P3".
    package private(set) var profileName: String?

    /// Whether its first bytes are those of an image.
    package private(set) var isImage = true

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
        /// A PNG of 16 bits without alpha: the same, as pngdec (1.22) takes each of its channels for another.
        case deepPNG
        /// libavcodec: DPX, in which film is scanned, and OpenEXR, in which it is rendered.
        case film
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
            if bytes.isEmpty, (try? file.seek(offset: 0, from: .end)) == 0 { refusal = .empty }
            let read = { (offset: Int, count: Int) in (try? file.bytes(upTo: count, at: offset)) ?? [] }
            switch kind {
            case .jpeg:
                var header = JPEGHeader(bytes)
                if header == nil {
                    bytes = try file.bytes(upTo: Self.longestHeadSize)
                    header = JPEGHeader(bytes)
                }
                size = header?.size
                if header?.isCMYK == true { refusal = .printColors }
                let tags = bytes.withUnsafeBytes { PhotoTags($0) }
                (date, orientation) = (tags.date, tags.orientation)
                profileName = ColorProfile(jpeg: bytes)?.name
            case .heif:
                // What cannot be read is told when it is to be decoded. It comes turned.
                let photo = try? HEIFPhoto(path)
                date = photo?.tags.flatMap { TIFFTags($0) }?.date
                size = photo?.size
                profileName = photo?.profile.flatMap { ColorProfile($0) }?.name
            case .raw:
                let photo = try? RawPhoto(path)
                date = TIFFTags(read)?.date ?? photo?.date
                (size, orientation) = (photo?.size, photo?.orientation ?? PhotoOrientation())
            case .tiff:
                let tags = TIFFTags(read)
                (date, profileName) = (tags?.date, tags?.profile?.name)
                // gdk-pixbuf's, which is libtiff's: rows and columns come in their order, but are not exchanged.
                orientation =
                    [5: 5, 7: 5, 6: 7, 8: 7][tags?.orientation ?? 1].map { PhotoOrientation(exif: $0) } ?? .init()
                // Of that gdk-pixbuf leaves pixels as they were in the memory.
                if tags?.isDeepCMYK == true { refusal = .printColors }
            case .film: break
            case .deepPNG, .other:
                isImage = Self.isOtherImage(bytes)
                let tags = TagChunks.tags(read).flatMap { TIFFTags($0) }
                date = tags?.date
                orientation = PhotoOrientation(exif: tags?.orientation ?? 1)
                profileName = TagChunks.profile(read).flatMap { ColorProfile($0) }?.name
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
        if film.contains(where: head.starts) { return .film }
        if RawPhoto.hasEnding(path) { return .raw }
        let isTIFF = [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42]].contains { head.starts(with: $0) }
        return isTIFF ? .tiff : isDeepPNG(head) ? .deepPNG : .other
    }

    /// How DPX begins (SMPTE ST 268-1), in either order of bytes, and OpenEXR.
    private static let film = [Array("SDPX".utf8), Array("XPDS".utf8), [0x76, 0x2F, 0x31, 0x01]]

    /// PNG, WebP, GIF and BMP.
    private static func isOtherImage(_ head: [UInt8]) -> Bool {
        let isWebP = head.starts(with: "RIFF".utf8) && head.dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP || head.starts(with: [0x89, 0x50, 0x4E, 0x47]) || head.starts(with: "GIF8".utf8)
            || head.starts(with: "BM".utf8)
    }

    /// Whether its header (PNG 3, 11.2.1) tells 16 bits and red, green and blue.
    private static func isDeepPNG(_ head: [UInt8]) -> Bool {
        head.count > 25 && head.starts(with: [0x89, 0x50, 0x4E, 0x47]) && head[24] == 16 && head[25] == 2
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
    /// There is nothing in its file.
    case empty
    /// With its library's words.
    case damaged(String)
    /// What decodes it is not installed.
    case noDecoder(kind: String, package: String)
    /// Cyan, magenta, yellow and black, which look like whatever a printer makes of them.
    case printColors

    package var description: String {
        switch self {
        case .empty: "it is empty"
        case .damaged(let words): "it is damaged (\(words))"
        case .noDecoder(let kind, let package): "nothing here decodes \(kind); install \(package)"
        case .printColors: "its colors are those of print (CMYK); convert it to RGB"
        }
    }
}
