extension MatroskaMovie {
    /// The video and audio by the numbers that the movie gives them, from 1; what is kept as it is comes behind the others.
    struct NumberedTracks {
        private(set) var traks: [Box] = []
        private(set) var own: [OwnTrack] = []
        /// The numbers by the file's own identifiers.
        private(set) var identifiers: [UInt64: UInt32] = [:]
        /// Where each stands among all of the file.
        private(set) var order: [UInt32: Int] = [:]
        /// What those in the movie are for.
        private(set) var roles: [UInt32: TrackRoles] = [:]
        /// Where it says how opaque their frames are, by where these lie.
        private(set) var transparency: [UInt32: [UInt64: FrameTable.Place]] = [:]
        /// Of the longest in the movie, in its ticks.
        private(set) var duration: UInt64 = 0

        /// The number that the next track would have.
        var nextID: UInt32 { UInt32(traks.count + own.count + 1) }

        init(
            _ media: MatroskaMedia, _ entries: [TrackEntry], _ segment: MatroskaSegment, _ file: ReadableFile
        ) throws(MovieFileError) {
            for track in media.tracks {
                let id = nextID
                note(track.source, as: id, entries, segment, file)
                roles[id] = track.source.roles
                let made = try track.trak(id: id, origin: media.origin)
                duration = max(duration, made.duration)
                traks.append(made.trak)
            }
            for (track, frames) in media.kept {
                let id = nextID
                note(track, as: id, entries, segment, file)
                own.append(
                    OwnTrack(
                        id: id, source: track, frames: frames, scale: segment.timestampScale, origin: media.origin,
                        end: segment.toldEnd))
            }
        }

        private mutating func note(
            _ track: TrackEntry, as id: UInt32, _ entries: [TrackEntry], _ segment: MatroskaSegment,
            _ file: ReadableFile
        ) {
            if let uid = track.uid { identifiers[uid] = id }
            order[id] = entries.firstIndex { $0.number == track.number }
            guard track.isTransparent else { return }
            // Of a file that is cut off not all of it is there.
            transparency[id] = segment.frames[track.number]?.transparency.filter {
                $0.value.offset + UInt64($0.value.size) <= file.size
            }
        }
    }
}
