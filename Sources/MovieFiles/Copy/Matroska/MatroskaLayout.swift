/// What comes before the clusters of a Matroska file, to the byte: all that a player wants to know before it plays, and where
/// it can begin (RFC 9559 section 25.3.3: the cues in front).
struct MatroskaLayout: Sendable {
    /// From the first byte on.
    let head: [UInt8]
    let fileSize: UInt64

    /// Up to here positions have four bytes: what comes before the clusters is far smaller than the rest.
    private static let largestNarrowSize: UInt64 = 3 << 30

    init(_ plan: MatroskaPlan, application: String) throws(MovieFileError) {
        let width = plan.clusters.size > Self.largestNarrowSize ? 8 : 4
        var parts: [(id: ElementID, bytes: [UInt8])] = [
            (.info, plan.tags.info(duration: plan.duration, application: application)),
            (.tracks, try Self.tracks(plan)),
        ]
        if let chapters = MatroskaChapters.element(plan.chapters, shift: plan.shift, end: plan.duration) {
            parts.append((.chapters, chapters))
        }
        if let attachments = plan.copied.attachments { parts.append((.attachments, attachments)) }
        // What a Matroska file says in its own words is not said again in ours.
        if let tags = plan.copied.tags ?? plan.tags.element { parts.append((.tags, tags)) }
        // Positions in it have a fixed length, so its own does not depend on them.
        parts.append((.cues, Self.cues(plan, from: 0, width: width)))
        let seekHeadSize = Self.seekHead(parts, from: 0).count
        let start = UInt64(seekHeadSize + parts.reduce(0) { $0 + $1.bytes.count })
        parts[parts.count - 1].bytes = Self.cues(plan, from: start, width: width)

        var writer = EBMLWriter()
        Self.appendEBMLHeader(to: &writer, isWebM: plan.isWebM)
        writer.append(.segment)
        writer.append(size: start + plan.clusters.size, length: 8)
        writer.append(contentsOf: Self.seekHead(parts, from: UInt64(seekHeadSize)))
        for part in parts { writer.append(contentsOf: part.bytes) }
        head = writer.bytes
        fileSize = UInt64(head.count) + plan.clusters.size
    }

    private static func appendEBMLHeader(to writer: inout EBMLWriter, isWebM: Bool) {
        writer.master(.ebml) { ebml in
            ebml.unsigned(.ebmlVersion, 1)
            ebml.unsigned(.ebmlReadVersion, 1)
            ebml.unsigned(.ebmlMaxIDLength, 4)
            ebml.unsigned(.ebmlMaxSizeLength, 8)
            ebml.text(.docType, isWebM ? "webm" : "matroska")
            ebml.unsigned(.docTypeVersion, 4)
            ebml.unsigned(.docTypeReadVersion, 2)
        }
    }

    /// Where each part begins, from the first byte of the segment's data.
    static func seekHead(_ parts: [(id: ElementID, bytes: [UInt8])], from start: UInt64) -> [UInt8] {
        var (places, position): ([(id: ElementID, position: UInt64)], UInt64) = ([], start)
        for part in parts {
            places.append((part.id, position))
            position += UInt64(part.bytes.count)
        }
        return seekHead(places)
    }

    /// Likewise, wherever they lie. How long it is depends on how many there are, and on nothing else.
    static func seekHead(_ places: [(id: ElementID, position: UInt64)]) -> [UInt8] {
        var writer = EBMLWriter()
        writer.master(.seekHead) { head in
            for place in places {
                head.master(.seek) { seek in
                    var id = EBMLWriter()
                    id.append(place.id)
                    seek.data(.seekID, id.bytes)
                    seek.unsigned(.seekPosition, place.position, length: 8)
                }
            }
        }
        return writer.bytes
    }

    private static func tracks(_ plan: MatroskaPlan) throws(MovieFileError) -> [UInt8] {
        var writer = EBMLWriter()
        writer.data(.tracks, try plan.entries)
        return writer.bytes
    }

    /// Each cluster that a player can begin with.
    private static func cues(_ plan: MatroskaPlan, from start: UInt64, width: Int) -> [UInt8] {
        var writer = EBMLWriter()
        writer.master(.cues) { cues in
            for cluster in plan.clusters.clusters where cluster.isEntry {
                let block = plan.clusters.blocks[cluster.blocks.lowerBound]
                cues.master(.cuePoint) { point in
                    point.unsigned(.cueTime, UInt64(block.time))
                    point.master(.cueTrackPositions) { positions in
                        positions.unsigned(.cueTrack, UInt64(block.track))
                        positions.unsigned(.cueClusterPosition, start + cluster.position, length: width)
                        // From the first byte of the cluster's data.
                        positions.unsigned(.cueRelativePosition, cluster.timestampSize)
                    }
                }
            }
        }
        return writer.bytes
    }
}
