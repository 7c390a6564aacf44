/// What a Matroska file says and brings beside its tracks, which another one keeps as it is: tags and attachments (RFC 9559
/// sections 5.1.6 and 5.1.8).
struct MatroskaExtras: Sendable {
    let tags: [Elements]
    /// Where their data lies.
    let attachments: [ElementHeader]
    /// What tags name the file's tracks by, and the tracks that were made of them.
    let trackIDs: [UInt64: UInt32]
    /// The same of tracks that nobody asked for.
    let unwanted: Set<UInt64>

    /// The elements for the other file.
    struct Copy: Sendable {
        var tags: [UInt8]?
        var attachments: [UInt8]?
        /// What is left out, in full sentences.
        var omissions: [String] = []
    }

    /// - Parameters:
    ///   - numbers: Of the copied tracks, by their identifiers; there they name them in tags too.
    ///   - isWebM: WebM has no attachments.
    func copy(
        numbers: [UInt32: UInt64], isWebM: Bool, _ file: ReadableFile
    ) throws(MovieFileError) -> Copy {
        var copy = Copy()
        let files = try copyAttachments(isWebM: isWebM, file, &copy)
        copyTags(numbers, files: files, &copy)
        return copy
    }

    // MARK: Attachments

    /// - Returns: What tags name the copied files by.
    private func copyAttachments(
        isWebM: Bool, _ file: ReadableFile, _ copy: inout Copy
    ) throws(MovieFileError) -> Set<UInt64> {
        guard !attachments.isEmpty else { return [] }
        guard !isWebM else {
            copy.omissions.append("Its attachments are left out: WebM cannot hold them.")
            return []
        }
        let attached = try AttachedFiles(attachments, file)
        copy.omissions += attached.omissions
        copy.attachments = attached.element
        return Set(attached.files.map(\.uid))
    }

    // MARK: Tags

    private func copyTags(_ numbers: [UInt32: UInt64], files: Set<UInt64>, _ copy: inout Copy) {
        var omitted = 0
        var writer = EBMLWriter()
        for data in tags.flatMap({ $0.all(.tag) }) {
            guard let tag = try? Elements(data), let targets = targets(tag, numbers, files),
                tag.all(.simpleTag).allSatisfy({ (try? Elements($0))?[.tagName] != nil })
            else {
                if !isUnwanted(data) { omitted += 1 }
                continue
            }
            writer.master(.tag) { tag in
                tag.data(.targets, targets)
                for (rawID, data) in (try? Elements(data))?.everything ?? [] where Self.isKept(rawID) {
                    tag.data(rawID: rawID, data)
                }
            }
        }
        if omitted > 0 {
            copy.omissions.append(
                omitted == 1
                    ? "A group of its tags is left out, as it is damaged or belongs to what is not copied."
                    : "\(omitted) groups of its tags are left out, as they are damaged or belong to what is not copied."
            )
        }
        guard !writer.bytes.isEmpty else { return }
        var element = EBMLWriter()
        element.data(.tags, writer.bytes)
        copy.tags = element.bytes
    }

    /// Whether a tag is about a track that nobody asked for.
    private func isUnwanted(_ tag: ArraySlice<UInt8>) -> Bool {
        guard let targets = try? Elements(tag).inside(.targets) else { return false }
        return targets.unsigned(.tagTrackUID).map(unwanted.contains) ?? false
    }

    /// A checksum would be of other bytes.
    private static func isKept(_ rawID: UInt32) -> Bool {
        rawID != ElementID.targets.rawValue && rawID != ElementID.crc32.rawValue && rawID != ElementID.void.rawValue
    }

    /// What a tag is about, in the other file's numbers; nil where that is not there.
    ///
    /// Chapters and editions get new numbers, which nobody told their tags.
    private func targets(_ tag: Elements, _ numbers: [UInt32: UInt64], _ files: Set<UInt64>) -> [UInt8]? {
        guard let data = tag[.targets] else { return [] }
        guard let targets = try? Elements(data) else { return nil }
        var writer = EBMLWriter()
        for (rawID, data) in targets.everything where Self.isKept(rawID) {
            // Zero stands for all of a kind.
            switch (ElementID(rawValue: rawID), data.unsignedInteger ?? 0) {
            case (.tagTrackUID, let uid) where uid != 0:
                guard let id = trackIDs[uid], let number = numbers[id] else { return nil }
                writer.unsigned(.tagTrackUID, number)
            case (.tagAttachmentUID, let uid) where uid != 0:
                guard files.contains(uid) else { return nil }
                writer.data(rawID: rawID, data)
            case (.tagChapterUID, let uid) where uid != 0, (.tagEditionUID, let uid) where uid != 0: return nil
            default: writer.data(rawID: rawID, data)
            }
        }
        return writer.bytes
    }
}
