import Foundation
package import SystemPackage

/// Whether the frames of a FLAC file are what its head says (RFC 9639, sections 8.2 and 9.1). Where they are not, flacparse (1.22) takes them for
/// damage and leaves them out without a word, or stops.
package enum FLACFrames {
    /// Bytes that are read at once.
    private static let piece = 1 << 20
    /// Of a sample: others are copied by nobody here, as no frame can say that it has so many.
    private static let usualBits: Set = [8, 12, 16, 20, 24, 32]

    /// Whether some have another rate, another number of channels or bits, or are larger than the head says, or it says what no frame can. Reads all
    /// of the file; blocks.
    ///
    /// - Returns: false for any other file.
    /// - Throws: `notAFile`, `system`.
    package static func differ(fromHeadOf path: FilePath) throws(MovieFileError) -> Bool {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            let head = try file.read(upTo: FLACStreamInfo.place + FLACStreamInfo.size, at: 0)
            guard head.starts(with: "fLaC".utf8), head.count == FLACStreamInfo.place + FLACStreamInfo.size,
                head[4] & 0x7F == 0, let begin = try FLACStreamInfo.framesPlace(file)
            else { return false }
            let told = Told(head)
            guard usualBits.contains(told.bits) else { return true }
            return try walk(file, from: begin, told)
        }
    }

    private struct Told {
        let rate, channels, bits, largest: Int

        init(_ head: [UInt8]) {
            (rate, channels) = (FLACStreamInfo.rate(head), Int(head[20] >> 1 & 7) + 1)
            bits = (Int(head[20] & 1) << 4 | Int(head[21] >> 4)) + 1
            largest = head[15..<18].reduce(0) { $0 << 8 | Int($1) }
        }

        func fits(_ frame: FLACFrame) -> Bool {
            frame.channels == channels && (frame.sampleRate ?? rate) == rate && (frame.bits ?? bits) == bits
        }
    }

    /// Goes from frame to frame: what looks like a head among their bytes has another number than the next.
    private static func walk(_ file: ReadableFile, from begin: UInt64, _ told: Told) throws(MovieFileError) -> Bool {
        var (place, next, last) = (begin, UInt64?.none, UInt64?.none)
        while true {
            let bytes = try file.read(upTo: piece, at: place)
            let isLast = bytes.count < piece
            // The next piece begins with what may be a part of a head.
            let end = isLast ? bytes.count : bytes.count - FLACFrame.longestHead
            var index = 0
            while let found = bytes.firstIndex(ofByte: 0xFF, from: index), found < end {
                index = found + 1
                guard let frame = FLACFrame(bytes[found...]), next == nil || frame.number == next else { continue }
                guard told.fits(frame) else { return true }
                let start = place + UInt64(found)
                if let last, told.largest > 0, start - last > told.largest { return true }
                last = start
                next = frame.number + (frame.countsSamples ? UInt64(frame.blockSize) : 1)
            }
            if isLast { return false }
            place += UInt64(end)
        }
    }
}

extension [UInt8] {
    fileprivate func firstIndex(ofByte byte: UInt8, from start: Int) -> Int? {
        withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + start, Int32(byte), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
