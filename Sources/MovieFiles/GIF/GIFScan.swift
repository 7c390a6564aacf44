import MediaTypes

/// Walks over the blocks of a GIF (GIF89a specification, sections 18 to 27).
struct GIFScan {
    private var bytes: ByteCursor
    private var found: GIFIndex
    /// What the next frame's own extension says: how long it is shown, in hundredths of a second.
    private var delay = 0
    /// Where the next frame's bytes begin.
    private var start: UInt64 = 0

    /// The file ends inside of a block.
    private struct CutOff: Error {}

    /// - Throws: `notAMovie`, `damaged` for a head that is damaged, `system`.
    init(_ file: ReadableFile) throws(MovieFileError) {
        bytes = ByteCursor(file)
        let head = try file.read(upTo: Self.headSize, at: 0)
        guard GIFIndex.begins(head) else { throw .notAMovie(reason: "it does not begin as a GIF does") }
        guard head.count == Self.headSize else { throw .damaged(reason: "it is cut off within its header") }
        func number(_ place: Int) -> Int { Int(head[place]) | Int(head[place + 1]) << 8 }
        found = GIFIndex(width: number(6), height: number(8))
        guard found.width > 0, found.height > 0 else {
            throw .damaged(reason: "its frames are \(found.width)×\(found.height) pixels")
        }
        bytes.skip(Self.headSize + Self.paletteSize(head[10]))
    }

    private static let headSize = 13

    /// In bytes, of the color table that a block's flags tell.
    private static func paletteSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// All that it lists.
    ///
    /// - Throws: `damaged` where it is damaged or has no whole frame, `system`.
    mutating func index() throws(MovieFileError) -> GIFIndex {
        do {
            while try block() {}
        } catch is CutOff {
            found.isWhole = false
        } catch {
            throw error as? MovieFileError ?? MovieFileError.damaged(reason: "\(error)")
        }
        guard !found.frames.isEmpty else {
            throw .damaged(reason: found.isWhole ? "it has no frame" : "it is cut off within its first frame")
        }
        return found
    }

    /// - Returns: false behind the end mark.
    private mutating func block() throws -> Bool {
        let place = bytes.position
        switch try byte() {
        case 0x3B: return false
        case 0x21: try readExtension()
        case 0x2C: try image()
        // Some writers end their blocks twice.
        case 0: break
        default:
            let count = found.frames.count
            let before = count == 0 ? "head" : count == 1 ? "first frame" : "first \(count) frames"
            throw MovieFileError.damaged(
                reason: "what follows its \(before), at byte \(place), is not part of a GIF")
        }
        return true
    }

    private mutating func image() throws {
        var head: [UInt8] = []
        for _ in 0..<9 { head.append(try byte()) }
        let isFull =
            head[0..<4].allSatisfy { $0 == 0 } && Int(head[4]) | Int(head[5]) << 8 >= found.width
            && Int(head[6]) | Int(head[7]) << 8 >= found.height
        if found.frames.isEmpty, !isFull { found.hasTransparency = true }
        bytes.skip(Self.paletteSize(head[8]) + 1)
        while case let count = Int(try byte()), count > 0 { bytes.skip(count) }
        // As browsers and ffmpeg do: whoever asks for less means as fast as that was at its time.
        if delay < 2 { found.hastyFrameCount += 1 }
        let hundredths = delay < 2 ? 10 : delay
        found.frames.append(
            .init(
                bytes: start..<bytes.position, time: found.duration,
                duration: hundredths * (10 * MediaTime.millisecond)))
        (delay, start) = (0, bytes.position)
    }

    private mutating func readExtension() throws {
        let label = try byte()
        var blocks: [[UInt8]] = []
        // Of other kinds nothing is needed, however much there is.
        try subBlocks { block in if blocks.count < Self.keptBlocks { blocks.append(block) } }
        switch label {
        case 0xF9:
            guard let control = blocks.first, control.count >= 4 else { return }
            delay = Int(control[1]) | Int(control[2]) << 8
            // What is given back to the background, or to what was before the first frame, is transparent then.
            let (disposal, isFirst) = (control[0] >> 2 & 7, found.frames.isEmpty)
            if disposal == 2 || isFirst && (disposal == 3 || control[0] & 1 == 1) { found.hasTransparency = true }
        case 0xFE:
            let text = String(decoding: blocks.joined(), as: UTF8.self)
            if !text.isEmpty { found.comment = found.comment ?? text }
        case 0xFF:
            guard blocks.count > 1,
                ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(String(decoding: blocks[0], as: UTF8.self)),
                blocks[1].count >= 3, blocks[1][0] == 1
            else { return }
            found.repeats = Int(blocks[1][1]) | Int(blocks[1][2]) << 8
        default: break
        }
    }

    /// Of an extension, 255 bytes each: more than any comment that people read.
    private static let keptBlocks = 16

    private mutating func subBlocks(_ body: ([UInt8]) -> Void) throws {
        while case let count = Int(try byte()), count > 0 {
            guard let block = try bytes.next(count) else { throw CutOff() }
            body(block)
        }
    }

    private mutating func byte() throws -> UInt8 {
        guard let byte = try bytes.next() else { throw CutOff() }
        return byte
    }
}
