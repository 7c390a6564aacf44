package import GStreamer
package import MediaTypes
package import SystemPackage
import MovieFiles
import Threads
import Workarounds

/// All packets of a file, counted without decoding any: what its streams are, how many packets each has, and from when to when.
///
/// For containers that have no index, or one that says less.
package struct StreamScan: Sendable {
    package struct Stream: Sendable {
        package enum Kind: Sendable { case video, audio, other }

        package var kind: Kind
        /// As the parser behind the demuxer has found it.
        package var caps: Caps
        package var packetCount = 0
        /// How many of them are single fields of H.264, as cameras code them, frame by frame as they like.
        fileprivate var fieldCount = 0
        /// As its demuxer says, ISO 639 with two or three letters; nil where it does not.
        package var language: String?
        /// Of all packets.
        package var byteCount = 0
        /// When the first packet begins; nil where none has a time.
        package var start: MediaTime?
        /// When the last one ends.
        package var end: MediaTime?

        /// From the beginning of the first packet to the end of the last.
        package var duration: MediaTime { start.flatMap { start in end.map { $0 - start } } ?? .zero }
    }

    /// In the file's order, as far as it tells.
    package var streams: [Stream] = []
    /// Whether all of the file was read.
    package var isWhole = false

    /// From the first beginning to the last end.
    package var duration: MediaTime {
        guard let start = streams.compactMap(\.start).min(), let end = streams.compactMap(\.end).max() else {
            return .zero
        }
        return end - start
    }

    /// - Parameter limit: how long the reading may take; of a file that takes longer only the beginning is counted.
    /// - Throws: ``GStreamerError`` where an element is missing.
    package init(_ file: FileDescriptor, within limit: Duration = .seconds(20)) async throws {
        // By its descriptor: a GStreamer location is text, a Linux file name any bytes.
        let location = "/proc/self/fd/\(file.rawValue)"
        let transport = try await onOwnThread("rushes-packets") { TransportScan(location) }
        self = try await Self.look(at: location, transport, within: limit, usesLongTimeout: false)
        // Once in thousands of runs a pipeline brought nothing at all, or failed at once, and another one brought everything.
        if streams.allSatisfy({ $0.packetCount == 0 }) {
            self = try await Self.look(at: location, transport, within: limit, usesLongTimeout: true)
        }
    }

    private init(streams: [Stream], isWhole: Bool) { (self.streams, self.isWhole) = (streams, isWhole) }

    /// How long a first look waits for a packet.
    private static let firstPacket = Duration.seconds(5)

    /// - Parameter usesLongTimeout: whether it waits as long for the first packet as for all.
    private static func look(
        at location: String, _ transport: TransportScan?, within limit: Duration, usesLongTimeout: Bool
    ) async throws -> Self {
        let container = InputContainer(location)
        // It is asked about packets, and not what they are decoded to.
        let rewrapped = try await onOwnThread("rushes-packets") {
            (try? RewrappedAudio(reading: FilePath(location))) ?? nil
        }
        let content = rewrapped.map { MovieFeed.Content($0, of: location) }
        let pipeline = try PipelineDescription([
            content?.nodes ?? MediaReader.source(location, container.decoder == nil ? container : .other)
        ]).build(name: "scan")
        let feed = try content.map { (content) throws(GStreamerError) in try MovieFeed(content, pipeline.bin) }
        let counters = Locked<[StreamCounter]>([])
        let bin = pipeline.bin
        let streams = bin.element(named: "streams")
        let isRead = AsyncSignal()
        streams?.onElementAdded { element in
            EarlyPackets.keep(from: element)
            MovieHeaderEdit.apply(to: element)
            WaveAAC.describe(from: element)
            TransportEdit.apply(to: element, reading: location, transport)
        }
        streams?.onPadAdded { pad in
            let counter = StreamCounter(pad)
            counters.withLock { $0.append(counter) }
            do { try Self.end(pad, in: bin) } catch { isRead.fire() }
        }
        let messages = pipeline.bus.messages()
        let watch = Task {
            for await message in messages {
                switch message.content {
                // A file that breaks off is counted up to there.
                case .endOfStream, .error: isRead.fire()
                default: break
                }
            }
        }
        defer { watch.cancel() }
        await pipeline.begin(.playing, within: .seconds(5))
        feed?.start()
        let first = usesLongTimeout ? limit : min(limit, firstPacket)
        var isWhole = await isRead.wait(within: first)
        if !isWhole, counters.withLock({ $0 }).contains(where: \.hasCounted) {
            isWhole = await isRead.wait(within: limit - first)
        }
        var found = counters.withLock { $0 }.sorted { $0.place < $1.place }.compactMap(\.stream)
        for index in found.indices where found[index].kind == .video {
            if container == .bareStream || container.isTransport {
                // Of a frame of which one field is there, that is shown.
                found[index].packetCount -= found[index].fieldCount / 2
            }
            guard let length = container.assumedFrameLength(found[index].caps) else { continue }
            (found[index].start, found[index].end) = (.zero, length * found[index].packetCount)
        }
        await pipeline.stop(within: .seconds(2))
        return Self(streams: found, isWhole: isWhole)
    }

    private static func end(_ pad: Pad, in bin: Bin) throws(GStreamerError) {
        let sink = try Element("fakesink")
        try sink.set("sync", to: false)
        try sink.set("async", to: false)
        try bin.add(sink)
        sink.followParentState()
        try bin.append([], to: pad, before: sink)
    }
}

/// Counts what passes a pad.
private final class StreamCounter: Sendable {
    private struct Count {
        var packets = 0
        /// How many packets last how long; of the first lengths that there are.
        var lengths: [MediaTime: Int] = [:]
        /// Those of the first packet: later the pad may have lost them again.
        var caps: Caps?
        /// Whether packets may be of frames that are not shown, as their first byte tells.
        var mayHide = false
        var bytes = 0
        var start: MediaTime?
        var last: MediaTime?
        var end: MediaTime?
    }

    /// More than any packet lasts.
    private static let longest: MediaTime = 3600 * .second

    private let pad: Pad
    private let count = Locked(Count())

    init(_ pad: Pad) {
        self.pad = pad
        _ = pad.addBufferEditor { [count] buffer, caps in
            // asfdemux (1.22) has packets of some Windows Media Audio last two centuries.
            let told = buffer.duration?.clamped ?? .zero
            let (bytes, duration) = (buffer.byteCount, told < Self.longest ? told : .zero)
            // What stands for a frame that came with the one before it, where DivX and Xvid pack several into one (`vop_coded` is 0).
            let format = bytes <= Self.emptyFrame ? caps()?.first : nil
            let isPlaceholder =
                format?.name == "video/mpeg" && format?["mpegversion"]?.intValue == 4 || format?.name == "video/x-divx"
            let time = (buffer.presentationTime ?? buffer.decodeTime)?.clamped
            count.withLock { count in
                if count.caps == nil {
                    count.caps = caps()
                    count.mayHide = count.caps?.first?.name == "video/x-vp8"
                }
                // `show_frame` (RFC 6386, section 9.1).
                let isHidden = count.mayHide && (try? buffer.withBytes { $0.first.map { $0 & 0x10 == 0 } }) == true
                if !isPlaceholder, !isHidden { count.packets += 1 }
                if count.lengths[duration] != nil || count.lengths.count < Self.mostLengths {
                    count.lengths[duration, default: 0] += 1
                }
                count.bytes += bytes
                guard let time else { return }
                count.start = min(count.start ?? time, time)
                count.last = max(count.last ?? time, time)
                count.end = max(count.end ?? time, time + duration)
            }
        }
    }

    /// Bytes of a frame of MPEG-4 that says nothing but when it would be shown (ISO/IEC 14496-2, 6.2.5).
    private static let emptyFrame = 8

    /// A frame's, a field's, and those of a camera that repeats some, each rounded up and down.
    private static let mostLengths = 16

    /// Whether any packet has come.
    var hasCounted: Bool { count.withLock { $0.packets > 0 } }

    /// What the file's order can be told by: the demuxer's own number of the stream ends its identifier.
    var place: String { pad.streamIdentifier.flatMap { $0.split(separator: "/").last.map(String.init) } ?? "" }

    /// What has passed; nil where nobody knows what it is.
    var stream: StreamScan.Stream? {
        let count = count.withLock { $0 }
        guard var caps = count.caps ?? pad.currentCaps ?? pad.possibleCaps else { return nil }
        if let shape = DecodedFrames.shapeOfMPEG1(caps) {
            caps = caps.setting("pixel-aspect-ratio", to: .fraction(shape))
        }
        let kind: StreamScan.Stream.Kind =
            switch SourceStream.kind(of: caps) {
            case .video: .video
            case .audio: .audio
            case .text, nil: .other
            }
        var stream = StreamScan.Stream(kind: kind, caps: caps)
        (stream.packetCount, stream.byteCount) = (count.packets, count.bytes)
        (stream.start, stream.end, stream.language) = (count.start, count.end, pad.tag("language-code"))
        stream.fieldCount = Self.fieldCount(count, caps)
        // Three headers begin it (Theora specification, section 6.1).
        if caps.first?.name == "video/x-theora" { stream.packetCount = max(0, count.packets - 3) }
        // Without a length of its own, or with one of the finest rate there is, the last packet lasts as long as the others do.
        if let start = count.start, let last = count.last, let end = count.end, end - last < .millisecond,
            count.packets > 1
        {
            let mean = Double((last - start).nanoseconds) / Double(count.packets - 1)
            stream.end = last + MediaTime(nanoseconds: Int64(mean.rounded()))
        }
        return stream
    }

    /// Packets half as long as a frame of the stream's own rate: h264parse (1.22) hands on each field that is coded by itself.
    private static func fieldCount(_ count: Count, _ caps: Caps) -> Int {
        guard let format = caps.first, format.name == "video/x-h264", let rate = format["framerate"]?.fractionValue,
            rate.numerator > 0
        else { return 0 }
        let field = MediaTime(samples: 1, of: rate) / 2
        // A rate that is its clock's has no fields.
        guard field > 2 * .millisecond else { return 0 }
        return count.lengths.reduce(0) { $0 + ((($1.key - field).length < .millisecond) ? $1.value : 0) }
    }
}
