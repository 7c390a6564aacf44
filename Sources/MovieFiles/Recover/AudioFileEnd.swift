package import SystemPackage

/// Files without an index that lack their end, and whose head or parts say how long they are: GStreamer reads what is there and says nothing.
package enum AudioFileEnd {
    /// Whether AIFF, AU or Wave64 has fewer bytes than it says. Blocks.
    ///
    /// - Returns: false for any other file.
    package static func isMissing(_ path: FilePath) -> Bool {
        let isMissing = try? ReadableFile.open(path) { (file) throws(MovieFileError) in
            size(try file.read(upTo: 24, at: 0)).map { $0 > file.size } ?? false
        }
        return isMissing ?? false
    }

    /// Whether WavPack, IVF, Ogg, AAC without a container or a Creative Voice file ends within a block, or WavPack has fewer samples than it says. Blocks.
    ///
    /// - Returns: false for any other file.
    package static func isWithinBlock(_ path: FilePath) -> Bool {
        let isWithin = try? ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            let head = try file.read(upTo: 32, at: 0)
            if head.starts(with: "wvpk".utf8) { return try isWithinBlock(wavPack: file) }
            if head.starts(with: "OggS".utf8) { return try isWithinBlock(ogg: file) }
            if head.starts(with: "Creative Voice File".utf8) { return try isWithinBlock(voice: file) }
            if let begin = try begin(adts: file) { return try isWithinBlock(adts: file, from: begin) }
            guard head.starts(with: "DKIF".utf8), head.count == 32 else { return false }
            return try isWithinBlock(ivf: file, from: UInt64(little(head[6..<8])))
        }
        return isWithin ?? false
    }

    /// Each block says its size, how many samples there are in all, and which of them it has ("WavPack 4 & 5 Binary File / Block Format").
    private static func isWithinBlock(wavPack file: ReadableFile) throws(MovieFileError) -> Bool {
        var (window, place, end, told) = (FileWindow(file), UInt64(0), 0, 0)
        while place < file.size {
            let head = Array(try window.bytes(24, at: place))
            // Tags follow.
            guard head.count == 24, head.starts(with: "wvpk".utf8) else { break }
            let (count, index) = (little(head[12..<16]), little(head[16..<20]))
            if place == 0, count != Int(UInt32.max), little(head[10..<12]) == 0 { told = count }
            end = max(end, index + little(head[20..<24]))
            place += 8 + UInt64(little(head[4..<8]))
            if place > file.size { return true }
        }
        return end < told
    }

    /// Each frame comes behind its size and its time.
    private static func isWithinBlock(ivf file: ReadableFile, from begin: UInt64) throws(MovieFileError) -> Bool {
        var (window, place) = (FileWindow(file), begin)
        while place < file.size {
            let head = try window.bytes(12, at: place)
            guard head.count == 12 else { return true }
            place += 12 + UInt64(little(head.prefix(4)))
        }
        return place > file.size
    }

    private static func little(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether FLAC ends within a frame. Blocks.
    package static func isWithinFrame(flac path: FilePath) -> Bool {
        let isMissing = try? ReadableFile.open(path) { (file) throws(MovieFileError) in
            let head = try file.read(upTo: FLACStreamInfo.place + FLACStreamInfo.size, at: 0)
            guard head.starts(with: "fLaC".utf8), head.count == FLACStreamInfo.place + FLACStreamInfo.size else {
                return false
            }
            return try FLACEnd.count(file, head) == nil
        }
        return isMissing ?? false
    }

    /// What a file says of its bytes; nil where its writer did not know.
    private static func size(_ head: [UInt8]) -> UInt64? {
        guard head.count == 24 else { return nil }
        func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        if head.starts(with: "FORM".utf8), head[8..<11].elementsEqual("AIF".utf8) {
            return number(head[4..<8]) + 8
        }
        // Sun's, where all bits of the size mean that it is not known.
        if head.starts(with: ".snd".utf8) {
            let size = number(head[8..<12])
            return size == UInt64(UInt32.max) ? nil : number(head[4..<8]) + size
        }
        // "riff" and the rest of its identifier, then the size of all.
        if head.starts(with: "riff".utf8), head[4..<8].elementsEqual([0x2E, 0x91, 0xCF, 0x11]) {
            return number(head[16..<24].reversed())
        }
        return nil
    }
}
