import MediaTypes
import SystemPackage

extension Elements {
    /// A video track's `TrackEntry` whose frames are shown turned (RFC 9559 section 5.1.4.1.28.41), whatever they were before.
    ///
    /// - Returns: its data.
    /// - Throws: `unsupported` for frames that lie around the viewer, and for mirrored ones.
    func turned(_ orientation: MovieOrientation) throws(MovieFileError) -> [UInt8] {
        guard !orientation.isMirrored else {
            throw .unsupported(reason: "Matroska can turn its frames and not mirror them; \(Self.advice)")
        }
        guard let video = try inside(.video) else {
            throw .unsupported(reason: "its video track does not say how large its frames are")
        }
        guard try video.inside(.projection)?.unsigned(.projectionType) ?? 0 == 0 else {
            throw .unsupported(reason: "its frames lie around the viewer, and are not turned so; \(Self.advice)")
        }
        var inside = video.without([.crc32, .projection])
        if orientation != .upright {
            inside.master(.projection) { projection in
                projection.unsigned(.projectionType, 0)
                // Matroska's angle goes the other way round.
                let degrees = Double(orientation.rotation.rawValue)
                projection.float(.projectionPoseYaw, 0)
                projection.float(.projectionPosePitch, 0)
                projection.float(.projectionPoseRoll, degrees > 180 ? 360 - degrees : -degrees)
            }
        }
        var entry = without([.crc32, .video])
        entry.data(.video, inside.bytes)
        return entry.bytes
    }

    private static let advice = "a copy of it as .mov or .mp4 can be"
}

extension MovieEditing {
    /// Turns the video of a Matroska or WebM file: in place where there is room, else as a new file under its name, or under another one.
    ///
    /// - Throws: as ``applyToMatroska(_:_:_:writingTo:_:)``; where there is no video, `unsupported`.
    static func turnMatroska(
        _ orientation: MovieOrientation, _ path: FilePath, _ file: ReadableFile, writingTo output: FilePath?,
        _ replacing: Bool, _ progress: (Double) -> Void
    ) throws(MovieFileError) {
        var change = MovieChange()
        change.orientation = orientation
        var original = try FinishedMatroska(file, mayBeWebM: true)
        let hasVideo = try Elements((original[.tracks] ?? [])[...]).all(.trackEntry).contains { data in
            (try? Elements(data))?.unsigned(.trackType) == TrackEntry.Kind.video.rawValue
        }
        guard hasVideo else { throw .unsupported(reason: "it has no video that could be turned") }
        guard let output else {
            return try applyToMatroska(
                change, path, file, writingTo: DescriptorFile(descriptor: file.descriptor), progress)
        }
        original.replace(try MatroskaChange(change, of: original).elements)
        let insertion = try MatroskaInsertion(into: original)
        try NewFile.write(output, replacing: replacing) { (new) throws(MovieFileError) in
            try insertion.write(to: new, progress: progress)
        }
    }
}
