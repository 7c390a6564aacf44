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
        var fieldCount = 0
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
            WindowsMediaLengths.remove(from: element)
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
