import FileSystem
package import MediaTypes
package import SystemPackage

/// Writes a WAV, FLAC, MP3 or Ogg file. Its head is brought up to date twice a second of audio, and of WAV with each packet, so that what a
/// killed recorder leaves, or a disk that takes nothing more, is an ordinary file, which lacks half a second at most, and WAV a packet.
///
/// Used from one thread at a time.
package final class AudioFileWriter {
    private let type: AudioFileType
    private let options: MovieFileWriter.Options
    private let descriptor: FileDescriptor
    private let file: DescriptorFile
    private let pusher: WritebackThread?
    private var reserve: SpaceReserve
    private var layout: (any AudioFileLayout)?
    private var attributes: AudioFileAttributes?
    private var headSize: UInt64 = 0
    /// Samples that the disk is to have.
    private var told = 0
    private var failure: MovieFileError?
    /// Where the file ends so far.
    package private(set) var bytesWritten: UInt64 = 0

    /// - Parameter descriptor: Of an empty file, open for reading and writing. It stays yours to close; until then nothing
    ///   here edits or recovers the file, which is locked (`flock`).
    package init(_ type: AudioFileType, descriptor: FileDescriptor, options: MovieFileWriter.Options) {
        (self.type, self.options, self.descriptor) = (type, options, descriptor)
        file = DescriptorFile(descriptor: descriptor, share: options.sizeLimit.map { SizeLimit.Share($0) })
        pusher = WritebackThread(descriptor)
        reserve = SpaceReserve(descriptor)
        do { try FileLock.exclusive.acquire(descriptor) } catch { failure = error }
    }

    /// What it takes to have the file on the disk; `nil` where nothing puts it there.
    package var syncs: DiskDelay? { pusher?.delay }

    deinit { pusher?.stop() }

    /// Whether it is known what the packets are.
    package var isDescribed: Bool { layout != nil }

    /// Says what the packets are, before the first.
    ///
    /// - Throws: `unsupported` for what the file cannot hold.
    package func describe(_ format: PCMFormat) throws(MovieFileError) {
        switch type {
        case .wave: layout = try WaveLayout(format)
        case .flac: layout = FLACLayout(sampleRate: format.sampleRate)
        case .mp3: layout = MP3Layout(sampleRate: format.sampleRate)
        case .ogg: layout = try OggLayout(headers: options.streamHeaders, format: format, attributes: known)
        }
    }

    /// Writes a packet: samples for WAV, a frame for FLAC and MP3, a packet of Ogg's codecs.
    ///
    /// - Parameter duration: of what was encoded into it, where that is known: the last frame may have less than others.
    /// - Throws: `noSpace` or `system` where the file cannot be written, `unsupported` for what it cannot hold. Afterwards
    ///   nothing more is taken, but ``finish(chapters:)`` still works.
    package func append(
        _ packet: UnsafeRawBufferPointer, lasting duration: MediaTime? = nil
    ) throws(MovieFileError) {
        if let failure { throw failure }
        do {
            guard let bytes = try layout?.bytes(for: packet, lasting: duration), !bytes.isEmpty else { return }
            if headSize == 0 { try writeHead() }
            try write(bytes)
            guard let layout else { return }
            let isDue = layout.sampleCount - told >= layout.sampleRate / 2
            if isDue || type == .wave { try file.write(layout.head(known, tailSize: 0), at: 0) }
            guard isDue else { return }
            told = layout.sampleCount
            pusher?.push()
        } catch {
            failure = error
            throw error
        }
    }

    /// Puts the file on the disk, with all that it tells. Where there is no room for places, they are left out.
    ///
    /// - Parameter chapters: Places that have a name, in the order of the file.
    /// - Throws: `noSamples` where nothing was recorded, `noSpace`, `system`; the file then plays as it is.
    package func finish(chapters: [MovieInfo.Chapter]) throws(MovieFileError) -> FinishedMovie {
        pusher?.stop()
        defer { FileLock.release(descriptor) }
        _ = reserve.release()
        guard let layout, layout.sampleCount > 0 else { throw .noSamples }
        // All that came may be in the tail.
        if headSize == 0 { try writeHead() }
        let end = headSize + layout.audioSize
        if end < bytesWritten { try file.truncate(to: end) }
        var attributes = known
        attributes.chapters += chapters
        var tail = layout.tail(attributes)
        // What is behind the audio counts only when it is whole.
        try file.write(layout.head(attributes, tailSize: 0), at: 0)
        do { try file.write(tail, at: end) } catch {
            guard error.isOutOfSpace else { throw error }
            tail = []
            try file.truncate(to: end)
        }
        if !tail.isEmpty { try file.write(layout.head(attributes, tailSize: tail.count), at: 0) }
        bytesWritten = end + UInt64(tail.count)
        try file.synchronize()
        return unfinished
    }

    /// What the file holds so far.
    package var unfinished: FinishedMovie {
        let count = layout?.sampleCount ?? 0
        let duration = MediaTime(samples: count, rate: max(1, layout?.sampleRate ?? 1))
        let track = FinishedMovie.Track(trackID: 1, handler: "soun", sampleCount: count, duration: duration)
        return FinishedMovie(
            tracks: count > 0 ? [track] : [], duration: duration, fileSize: bytesWritten, indexSize: 0)
    }

    /// Told once: whoever asks later would get another date.
    private var known: AudioFileAttributes {
        if let attributes { return attributes }
        var metadata = options.metadata
        metadata.creationDate = metadata.creationDate ?? options.beginning().date
        let attributes = AudioFileAttributes(metadata: metadata, chapters: options.chapters)
        self.attributes = attributes
        return attributes
    }

    private func writeHead() throws(MovieFileError) {
        guard let head = layout?.head(known, tailSize: 0) else { return }
        try file.write(head, at: 0)
        headSize = UInt64(head.count)
        bytesWritten = headSize
    }

    private func write(_ bytes: [UInt8]) throws(MovieFileError) {
        var written = 0
        let place = bytesWritten
        defer {
            bytesWritten = place + UInt64(written)
            layout?.add(written: written)
        }
        try bytes.withBytes { (buffer) throws(MovieFileError) in
            try file.write(buffer, at: place, written: &written)
        }
    }
}

/// The kinds of file of audio alone that are written here, without a muxer of GStreamer's.
package enum AudioFileType: Sendable, Hashable {
    /// RIFF WAVE, with the Broadcast Wave chunk (EBU Tech 3285); RF64 where it is longer than 4 GiB (EBU Tech 3306).
    case wave
    /// FLAC (RFC 9639).
    case flac
    /// MP3 (ISO/IEC 11172-3 and 13818-3, layer 3).
    case mp3
    /// Opus (RFC 7845) or Vorbis in Ogg (RFC 3533).
    case ogg
}

/// What samples are, before they are encoded or as they are.
package struct PCMFormat: Sendable, Hashable {
    /// Of each channel, a second.
    package var sampleRate: Int
    package var channels: Int
    /// Of a sample; 8, 16, 24 or 32, or as floats 32 or 64.
    package var bits: Int
    package var isFloat: Bool
    /// Which speakers they are for, a bit for each (`dwChannelMask`); 0 where nobody knows.
    package var channelMask: UInt32

    package init(sampleRate: Int, channels: Int, bits: Int, isFloat: Bool = false, channelMask: UInt32 = 0) {
        (self.sampleRate, self.channels, self.bits) = (sampleRate, channels, bits)
        (self.isFloat, self.channelMask) = (isFloat, channelMask)
    }

    /// Of one sample of each channel, in bytes.
    var frameSize: Int { channels * bits / 8 }
}
