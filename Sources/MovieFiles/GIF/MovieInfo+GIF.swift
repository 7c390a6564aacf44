package import Errors
import MediaTypes
package import SystemPackage

extension MovieInfo {
    /// Describes a GIF by its blocks. Blocks.
    ///
    /// - Throws: ``RushesError`` if it is none, or damaged.
    package init(readingGIF path: FilePath) throws(RushesError) {
        let (gif, size) = try naming(path) { () throws(MovieFileError) in
            (try GIFIndex(reading: path), try ReadableFile.open(path) { $0.size })
        }
        self.init(path: path.wireText, container: "gif", duration: gif.duration, size: size)
        complete = gif.isWhole
        comment = gif.comment
        var frames = Video(
            codec: "gif", codecTag: "", width: gif.width, height: gif.height, frameCount: gif.frames.count,
            duration: gif.duration)
        frames.frameRate = Double(gif.frames.count) / gif.duration.seconds
        frames.bitRate = bitRate
        video = [frames]
    }
}
