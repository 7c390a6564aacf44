import FileSystem
package import MediaTypes

extension MovieFileWriter {
    /// Writes a frame as a fragment of its own, so that it plays however long the next one takes: a muxer keeps a frame until it
    /// knows the next. For ``Options/hasOwnFragments``, after the head has come.
    ///
    /// - Parameters:
    ///   - time: Of the frame, from the first one that this writer gets; frames come in the order in which they are shown.
    ///   - duration: How long it is shown.
    /// - Throws: As ``append(_:)``.
    package func append(
        frame bytes: UnsafeRawBufferPointer, at time: MediaTime, duration: MediaTime, isKeyFrame: Bool
    ) throws(MovieFileError) {
        if let failure { throw failure }
        do throws(MovieFileError) {
            // Not the track itself: held here, all of its samples would be copied when this one is added.
            guard
                let (trackID, timescale, count) = movie?.tracks.first(where: { $0.handler == "vide" }).map({
                    ($0.trackID, $0.timescale, $0.samples.count)
                })
            else { throw .unsupported(reason: "its muxer has written no header") }
            let (start, end) = (ticks(time, timescale), ticks(time + duration, timescale))
            guard let size = UInt32(exactly: bytes.count), size < UInt32.max - 8 else {
                throw .unsupported(reason: "a frame of \(bytes.count) bytes is too large")
            }
            let fragment = FrameFragment(
                trackID: trackID, sequenceNumber: UInt32(clamping: count + 1), decodeTime: begin + start,
                duration: UInt32(clamping: max(1, end - min(start, end))), size: size, isSync: isKeyFrame)
            let (box, offset) = (try fragment.box(), bytesWritten)
            try (box + fragment.dataHeader).withBytes { (buffer) throws(MovieFileError) in try write(buffer) }
            try write(bytes)
            try add(fragment: box, at: offset)
            pusher?.push()
        } catch {
            failure = error
            throw error
        }
    }

    private func ticks(_ time: MediaTime, _ timescale: UInt32) -> UInt64 {
        UInt64(max(0, time.seconds * Double(timescale)).rounded())
    }
}
