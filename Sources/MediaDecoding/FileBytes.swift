import CLibAV
import Foundation
import SystemPackage

/// A file as libavformat reads it: by callbacks, so that no demuxer opens anything else that a file names, on this machine or in a network.
///
/// One thread at a time may use it.
final class FileBytes {
    private static let bufferSize: Int32 = 1 << 16

    private let library: FormatLibrary
    private let file: FileDescriptor
    private var context: UnsafeMutablePointer<AVIOContext>?

    /// - Returns: nil where the file cannot be opened, or there is no memory.
    init?(_ path: FilePath, _ library: FormatLibrary) {
        // Without blocking: opening a FIFO would wait for its writer.
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return nil
        }
        (self.library, self.file) = (library, file)
        guard let buffer = library.allocate(Int(Self.bufferSize)) else { return nil }
        context = library.makeBytes(
            buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, Unmanaged.passUnretained(self).toOpaque(),
            { FileBytes.of($0)?.read($1, $2) ?? rushes_av_failed }, nil,
            { FileBytes.of($0)?.seek($1, $2) ?? Int64(rushes_av_failed) })
        guard context != nil else {
            var buffer: UnsafeMutableRawPointer? = buffer
            library.free(&buffer)
            return nil
        }
    }

    deinit {
        // The buffer may be another one by now.
        if let context { library.free(&context.pointee.buffer) }
        library.freeBytes(&context)
        try? file.close()
    }

    /// Reads this file, and refuses all others, as well to demuxers that a playlist's demuxer opens.
    func attach(to format: UnsafeMutablePointer<AVFormatContext>) {
        format.pointee.pb = context
        format.pointee.io_open = { _, _, _, _, _ in rushes_av_refused }
        _ = library.setOption(format, "protocol_whitelist", "none", 0)
    }

    private static func of(_ place: UnsafeMutableRawPointer?) -> FileBytes? {
        place.map { Unmanaged<FileBytes>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
        guard let buffer, count > 0,
            let read = try? file.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
        else { return rushes_av_failed }
        return read == 0 ? rushes_av_end : Int32(read)
    }

    private func seek(_ offset: Int64, _ kind: Int32) -> Int64 {
        if kind & AVSEEK_SIZE != 0 {
            var status = stat()
            return fstat(file.rawValue, &status) == 0 ? Int64(status.st_size) : Int64(rushes_av_failed)
        }
        let whence: FileDescriptor.SeekOrigin? =
            switch kind & ~AVSEEK_FORCE {
            case SEEK_SET: .start
            case SEEK_CUR: .current
            case SEEK_END: .end
            default: nil
            }
        guard let whence else { return Int64(rushes_av_failed) }
        return (try? file.seek(offset: offset, from: whence)) ?? Int64(rushes_av_failed)
    }
}
