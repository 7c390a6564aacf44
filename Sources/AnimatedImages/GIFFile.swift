import CLibAV
import Errors

/// Encodes frames of 256 colors and puts them into a GIF.
final class GIFFile {
    /// Where the muxer's bytes go to.
    private final class Destination {
        let write: (UnsafeRawBufferPointer) throws -> Void
        var failure: (any Error)?

        init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.write = write }

        func take(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
            guard failure == nil else { return rushes_av_failed }
            do { try write(UnsafeRawBufferPointer(start: bytes, count: Int(count))) } catch {
                failure = error
                return rushes_av_failed
            }
            return count
        }
    }

    private let library: AnimationLibrary
    private let destination: Destination
    private var encoder: UnsafeMutablePointer<AVCodecContext>?
    private var format: UnsafeMutablePointer<AVFormatContext>?
    private var bytes: UnsafeMutablePointer<AVIOContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?

    private static let bufferSize = 1 << 16

    init(
        _ library: AnimationLibrary, width: Int, height: Int,
        _ write: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        (self.library, destination) = (library, Destination(write))
        let codec = try library.made(library.encoder(AV_CODEC_ID_GIF), "GIF encoder")
        let encoder = try library.made(library.makeContext(codec), "memory")
        self.encoder = encoder
        (encoder.pointee.width, encoder.pointee.height) = (Int32(width), Int32(height))
        (encoder.pointee.pix_fmt, encoder.pointee.time_base) = (AV_PIX_FMT_PAL8, AVRational(num: 1, den: 100))
        try library.check(library.openEncoder(encoder, codec, nil), "the encoder")
        packet = try library.made(library.makePacket(), "memory")
        try library.check(library.makeFormat(&format, nil, "gif", nil), "the muxer")
        let format = try library.made(format, "GIF muxer")
        let stream = try library.made(library.makeStream(format, nil), "memory")
        stream.pointee.time_base = encoder.pointee.time_base
        try library.check(library.parameters(stream.pointee.codecpar, encoder), "the muxer")
        let buffer = try library.made(library.allocate(Self.bufferSize), "memory")
        bytes = library.makeBytes(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 1,
            Unmanaged.passUnretained(destination).toOpaque(), nil,
            { destination, bytes, count in
                guard let destination else { return rushes_av_failed }
                return Unmanaged<Destination>.fromOpaque(destination).takeUnretainedValue().take(bytes, count)
            }, nil)
        format.pointee.pb = try library.made(bytes, "memory")
        format.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        try checked(library.writeHeader(format, nil))
    }

    deinit {
        library.freePacket(&packet)
        library.freeContext(&encoder)
        library.freeFormat(format)
        if let bytes { library.free(&bytes.pointee.buffer) }
        library.freeBytes(&bytes)
    }

    func append(_ frame: UnsafeMutablePointer<AVFrame>) throws { try encode(frame) }

    /// - Parameter delay: how long the last frame is shown, in hundredths of a second.
    func finish(lastDelay delay: Int) throws {
        try encode(nil)
        try library.check(library.setOption(format?.pointee.priv_data, "final_delay", Int64(delay), 0), "the muxer")
        try checked(library.writeTrailer(format))
    }

    private func encode(_ frame: UnsafeMutablePointer<AVFrame>?) throws {
        try library.check(library.sendFrame(encoder, frame), "the encoder")
        while true {
            let answer = library.receivePacket(encoder, packet)
            if answer == rushes_av_again || answer == rushes_av_end { return }
            try library.check(answer, "the encoder")
            defer { if let packet { library.emptyPacket(packet) } }
            try checked(library.writePacket(format, packet))
        }
    }

    /// Why bytes could not be written says more than that they were not.
    private func checked(_ answer: Int32) throws {
        if let failure = destination.failure { throw failure }
        try library.check(answer, "the muxer")
    }
}
