package import SystemPackage

/// H.264 and HEVC in QuickTime and MP4 whose frames hold start codes (ITU-T H.264 and H.265, annex B) where lengths belong (ISO/IEC 14496-15
/// section 5.3.3), as some programs copy a stream. Players that look for them show such a movie; GStreamer (1.22) loses frames or reads nothing.
package enum StartCodes {
    private static let formats: Set<FourCC> = ["avc1", "avc3", "hvc1", "hev1"]

    /// Whether the first frame of a video track begins with one. Blocks.
    ///
    /// - Returns: false for any file but QuickTime and MP4, and where the first frame cannot be read.
    package static func areFound(in path: FilePath) -> Bool {
        let areFound = try? ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            for track in try MovieContents(file).tracks() where track.handler == "vide" {
                guard let format = track.entry?.format, formats.contains(format), let place = track.firstSample else {
                    continue
                }
                let head = try file.read(upTo: 64, at: place)
                // As a length, the number would be that of a unit of one byte, which none is that a frame begins with.
                if head.starts(with: [0, 0, 0, 1]) { return true }
            }
            return false
        }
        return areFound ?? false
    }
}
