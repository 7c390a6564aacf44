import Composition
import Errors
import GStreamer
import Photos

/// A frame as the bytes of a photo.
enum PhotoEncoding {
    /// Blocks for as long as that takes.
    ///
    /// - Throws: ``RushesError`` if the frame is of a compressed stream that is none of JPEGs; what an encoder said.
    static func bytes(
        of frame: PhotoFrames.Frame, as format: PhotoPlace.Format, quality: Int, _ marks: PhotoMarks
    ) throws -> [UInt8] {
        guard let exif = marks.exif() else { throw Self.failure("its tags cannot be written") }
        let isJPEG = frame.caps.first?.name == "image/jpeg"
        guard isJPEG || frame.caps.first?.name == "video/x-raw" else {
            throw RushesError(
                .unsupportedFormat, on: frame.camera,
                "\(frame.camera)'s stream is copied as it comes, so there are no frames to take photos of; choose a codec\(Term.byVideoCodec)."
            )
        }
        switch format {
        case .jpeg:
            let image = isJPEG ? try frame.buffer.withBytes { Array($0) } : try jpeg(frame, quality)
            guard let file = JPEGSegments(image)?.tagged(exif) else { throw failure("the camera's JPEG is damaged") }
            return file
        case .png:
            guard !isJPEG else {
                throw RushesError(
                    .unsupportedFormat, on: frame.camera,
                    "\(frame.camera)'s JPEGs are copied as they come; let the photo's name end in .jpg.")
            }
            let image = try Sample(frame.buffer, frame.caps).png().withBytes { Array($0) }
            guard let file = PNGChunks.tagged(image, exif) else { throw failure("it is no PNG") }
            return file
        }
    }

    private static func jpeg(_ frame: PhotoFrames.Frame, _ quality: Int) throws -> [UInt8] {
        if let format = ComposedFormat(frame.caps) {
            return try frame.buffer.withView(format) { try JPEGEncoder.encode($0, quality: quality) }
        }
        // What cannot be read as it is, such as red, green and blue.
        let sample = try Sample(frame.buffer, frame.caps).converted(to: "I420")
        guard let buffer = sample.buffer, let format = sample.caps.flatMap({ ComposedFormat($0) }) else {
            throw failure("its format is unknown")
        }
        return try buffer.withView(format) { try JPEGEncoder.encode($0, quality: quality) }
    }

    private static func failure(_ words: String) -> RushesError {
        RushesError(.encoderFailed, "The photo cannot be encoded: \(words); take another one.")
    }
}
