import FileSystem
package import SystemPackage

extension MovieEditing {
    /// Copies a finished movie with its index before its samples, for players that read it over a network.
    ///
    /// Room for later metadata is kept behind the index.
    ///
    /// - Throws: As `setMetadata(_:chapters:ofMovieAt:)`, and `system` with `fileExists`.
    package static func moveIndexToFront(
        ofMovieAt path: FilePath, writingTo output: FilePath, replacing: Bool = false
    ) throws(MovieFileError) {
        try ReadableFile.open(path, lock: .shared) { (file) throws(MovieFileError) in
            let plan = try FastStartPlan(file)
            try NewFile.write(output, replacing: replacing) { (new) throws(MovieFileError) in
                try plan.write(to: new, from: file)
            }
        }
    }

    /// The same into a file that is open already, from one that nobody else writes.
    ///
    /// - Parameter target: An empty file, open for writing.
    /// - Throws: As `moveIndexToFront(ofMovieAt:writingTo:replacing:)`.
    package static func moveIndexToFront(
        of movie: FileDescriptor, writingTo target: FileDescriptor
    ) throws(MovieFileError) {
        let file = try ReadableFile(movie)
        try FastStartPlan(file).write(to: target, from: file)
    }
}

/// Which part of a movie goes where when its index comes first.
struct FastStartPlan {
    struct Part: Equatable {
        var source: Range<UInt64>
        /// In the new file.
        var offset: UInt64
    }

    /// Everything but the index and free space.
    private(set) var parts: [Part] = []
    /// The index, and the room behind it.
    private(set) var front: [UInt8] = []
    private(set) var frontOffset: UInt64 = 0

    /// Enough for a title and a few dozen chapters.
    private static let room: UInt64 = 4096
    /// What lies at the same place within a block as before can be shared with the old file instead of copied.
    private static let blockSize: UInt64 = 4096

    init(_ file: ReadableFile) throws(MovieFileError) {
        let layout = try MovieLayout(file)
        var moov = try TopLevelBoxes.load(layout.moov, from: file)
        // Offsets in 32 bits, if all fit: the size of the index then does not depend on what they are.
        let isWide = file.size + layout.moov.size * 2 + Self.room + Self.blockSize > UInt64(UInt32.max)
        try moov.moveChunks(isWide: isWide) { $0 }
        let indexSize = UInt64(try moov.serialized().count)

        let unwanted: Set<FourCC> = ["moov", "free", "skip", "wide"]
        var rest = layout.boxes.filter { !unwanted.contains($0.type) }[...]
        if let first = rest.first, first.type == "ftyp" {
            parts.append(Part(source: first.offset..<first.end, offset: 0))
            frontOffset = first.size
            rest = rest.dropFirst()
        }
        var position = frontOffset + indexSize + Self.room
        if let first = rest.first {
            position += (first.offset &- position) % Self.blockSize
        }
        let roomSize = position - frontOffset - indexSize
        for box in rest {
            if let last = parts.last, last.source.upperBound == box.offset, last.offset >= frontOffset {
                parts[parts.count - 1].source = last.source.lowerBound..<box.end
            } else {
                parts.append(Part(source: box.offset..<box.end, offset: position))
            }
            position += box.size
        }
        let moved = parts
        try moov.moveChunks(isWide: isWide) { offset in
            moved.first { $0.source.contains(offset) }.map { offset - $0.source.lowerBound + $0.offset }
        }
        var writer = ByteWriter()
        try moov.write(to: &writer)
        try writer.box("free") { (writer: inout ByteWriter) in
            writer.append(contentsOf: repeatElement(0, count: Int(roomSize) - 8))
        }
        front = writer.bytes
    }

    func write(to new: FileDescriptor, from file: ReadableFile) throws(MovieFileError) {
        try DescriptorFile(descriptor: new).write(front, at: frontOffset)
        for part in parts { try FileCopy.copy(part.source, of: file.descriptor, to: part.offset, of: new) }
    }
}
