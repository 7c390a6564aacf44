import AudioDecoding
import MovieFiles
import Rushes
import SystemPackage

extension MovieInfo {
    /// Describes audio that libavformat reads and GStreamer does not. Blocks.
    ///
    /// - Returns: nil for any other file.
    init?(decoding path: FilePath) {
        guard let audio = DecodedAudio(reading: path, named: path),
            let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        else { return nil }
        defer { try? file.close() }
        let size = (try? file.seek(offset: 0, from: .end)) ?? 0
        let duration = audio.duration ?? audio.counted() ?? audio.likelyDuration ?? .zero
        self.init(
            path: path.wireText, container: path.extension?.lowercased() ?? "unknown", duration: duration,
            size: UInt64(clamping: size))
        var track = Audio(
            codec: audio.codec, codecTag: "", channels: audio.channels, sampleRate: audio.rate, duration: duration)
        track.bitRate = audio.bitRate ?? bitRate
        self.audio = [track]
        var metadata = MovieMetadata()
        metadata.fill(named: audio.texts)
        read(metadata)
        creationDate = metadata.creationDate?.description
    }
}
