package import SystemPackage

/// The files that a Matroska file brings, such as fonts and a cover, as another one gets them (RFC 9559 section 5.1.6).
package struct AttachedFiles: Sendable {
    struct File: Sendable {
        let uid: UInt64
        let name: String
        let mediaType: String
        /// The data of its `AttachedFile`.
        let element: ArraySlice<UInt8>
        let content: ArraySlice<UInt8>
    }

    private(set) var files: [File] = []
    /// What is left out, in full sentences.
    package private(set) var omissions: [String] = []

    package init() {}

    package var isEmpty: Bool { files.isEmpty }

    /// The fonts among them, which subtitles need, by the media types that Matroska's have (RFC 9559 section 21.1, and older ones).
    package var fonts: AttachedFiles {
        var fonts = AttachedFiles()
        fonts.files = files.filter { file in
            let type = file.mediaType.lowercased()
            return type.contains("font") || type.contains("opentype")
        }
        return fonts
    }

    /// What they take in a file, about, in bytes.
    package var fileSize: Int64 { files.reduce(0) { $0 + Int64($1.element.count) + 12 } }

    /// Those of a Matroska file, or the cover of another one.
    ///
    /// Blocks.
    ///
    /// - Throws: `system` where it cannot be read.
    package init(of path: FilePath, artwork: [UInt8]?) throws(MovieFileError) {
        let own = try ReadableFile.open(path) { (file) throws(MovieFileError) -> AttachedFiles? in
            guard try MatroskaSegment.isMatroska(file) else { return nil }
            return try AttachedFiles(try MatroskaSegment(file, for: .attributes).attachments, file)
        }
        self = own ?? AttachedFiles(artwork: artwork)
    }

    /// - Parameters:
    ///   - artwork: an MP4's item. Matroska's players show one cover, the first.
    ///   - others: the numbers of other attached files of the same Matroska file.
    init(artwork: [UInt8]?, besides others: Set<UInt64> = []) {
        var uid: UInt64 = 0
        for (index, cover) in CoverArt.covers(inItem: artwork ?? []).enumerated() {
            repeat { uid += 1 } while others.contains(uid)
            var writer = EBMLWriter()
            writer.text(.fileName, index == 0 ? cover.fileName : "\(index + 1) " + cover.fileName)
            writer.text(.fileMediaType, cover.mediaType)
            writer.data(.fileData, cover.image)
            writer.unsigned(.fileUID, uid)
            files.append(
                File(
                    uid: uid, name: cover.fileName, mediaType: cover.mediaType, element: writer.bytes[...],
                    content: cover.image[...]))
        }
        if files.isEmpty, artwork != nil {
            omissions.append("The cover is left out: it is neither a JPEG nor a PNG, as those of Matroska are.")
        }
    }

    /// - Parameter headers: where they lie.
    init(_ headers: [ElementHeader], _ file: ReadableFile) throws(MovieFileError) {
        let limit = MatroskaSegment.maximumLoadedSize
        // They lie side by side in the file, so no sum of theirs runs over.
        guard headers.reduce(0, { $0 + ($1.size ?? 0) }) <= limit else {
            self.init()
            omissions = ["Its attachments are left out: they have more than \(limit >> 20) MiB."]
            return
        }
        var (elements, damaged): ([ArraySlice<UInt8>], Int) = ([], 0)
        for header in headers {
            let bytes = try file.read(upTo: Int(clamping: header.size ?? 0), at: header.dataOffset)
            if let list = try? Elements(bytes[...]) { elements += list.all(.attachedFile) } else { damaged += 1 }
        }
        self.init(elements: elements)
        damaged += elements.count - files.count
        if damaged > 0 { omissions = ["\(damaged) of its attachments are left out, as they are damaged."] }
    }

    /// - Parameter elements: the data of each `AttachedFile`. Those that are damaged are left out.
    init(elements: [ArraySlice<UInt8>]) {
        var uids: Set<UInt64> = []
        for data in elements {
            // Two of one number would be one to whoever looks for it.
            guard let attached = try? Elements(data), let uid = attached.unsigned(.fileUID), uid > 0,
                let name = attached.text(.fileName), let type = attached.text(.fileMediaType),
                let content = attached[.fileData], uids.insert(uid).inserted
            else { continue }
            files.append(File(uid: uid, name: name, mediaType: type, element: data, content: content))
        }
    }

    private var images: [File] { files.filter { $0.mediaType.lowercased().hasPrefix("image/") } }

    /// The images that a movie can have as its covers: those that are called so first.
    var coverArt: [CoverArt] {
        let named = named(["cover."])
        let others = images.filter { image in !named.contains { $0.uid == image.uid } }
        return (named + others).compactMap { CoverArt($0.content) }
    }

    /// All that players show as the movie's cover: the images that are called so (RFC 9559 section 21.2), else the first one.
    var covers: [File] {
        let named = named(["cover.", "cover_land.", "small_cover.", "small_cover_land."])
        return named.isEmpty ? Array(images.prefix(1)) : named
    }

    private func named(_ beginnings: [String]) -> [File] {
        images.filter { image in beginnings.contains { image.name.lowercased().hasPrefix($0) } }
    }

    /// What is said of those that have no place beside the covers; nil where there are none.
    func omission(in container: String) -> String? {
        let covers = coverArt.count
        guard files.count > covers || !omissions.isEmpty else { return nil }
        return
            "Its \(covers > 0 ? "other " : "")attachments, such as fonts, are left out: \(container) has no place for "
            + "them here."
    }

    /// The element that holds them all; nil where there are none.
    var element: [UInt8]? {
        guard !files.isEmpty else { return nil }
        var list = EBMLWriter()
        for file in files { list.data(.attachedFile, file.element) }
        var writer = EBMLWriter()
        writer.data(.attachments, list.bytes)
        return writer.bytes
    }
}
