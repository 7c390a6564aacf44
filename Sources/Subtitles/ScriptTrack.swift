import CASS
import CLibAV
import MediaTypes
import MovieFiles

/// A track of libass: the events of a stream of letters.
struct ScriptTrack {
    private let letters: LetterLibrary
    let pointer: UnsafeMutablePointer<ASS_Track>

    /// How long a text is shown of which nothing says so, in milliseconds.
    private static let usualDuration: Int64 = 3000

    /// - Returns: nil where there is no memory, or nothing decodes such texts.
    init?(_ stream: SubtitleStream, _ letters: LetterLibrary, _ library: OpaquePointer) {
        self.letters = letters
        if stream.codec == .script {
            var text = stream.header.map { CChar(bitPattern: $0) }
            guard let track = letters.readTrack(library, &text, text.count, nil) else { return nil }
            pointer = track
            return
        }
        guard let track = letters.makeTrack(library) else { return nil }
        pointer = track
        // Each event comes once.
        letters.setChecksOrder(track, 0)
        let decoder = stream.codec == .substation ? nil : PacketDecoder(stream.codec, header: stream.header)
        guard stream.codec == .substation || decoder != nil else { return nil }
        var header = (decoder?.scriptHeader ?? stream.header).map { CChar(bitPattern: $0) }
        letters.addHeader(track, &header, Int32(header.count))
        for (index, packet) in stream.packets.enumerated() {
            let begin = packet.begin.milliseconds
            let next = stream.packets.dropFirst(index + 1).first?.begin.milliseconds
            let duration =
                packet.duration?.milliseconds
                ?? min(Self.usualDuration, max(1, next.map { $0 - begin } ?? Self.usualDuration))
            add(packet.data, decoder, begin, duration)
        }
    }

    private func add(_ data: [UInt8], _ decoder: PacketDecoder?, _ begin: Int64, _ duration: Int64) {
        guard let decoder else { return add(event: data, begin, duration) }
        // The decoders refuse all of a text that is not UTF-8.
        let text = Array(String(decoding: data.prefix { $0 != 0 }, as: UTF8.self).utf8)
        let events = decoder.decode(text, duration: duration) { subtitle in
            subtitle.images.compactMap { rect in rect.ass.map { Array(String(cString: $0).utf8) } }
        }
        for event in events ?? [] { add(event: event, begin, duration) }
    }

    private func add(event: [UInt8], _ begin: Int64, _ duration: Int64) {
        // The library writes behind the text.
        var text = event.map { CChar(bitPattern: $0) } + [0]
        letters.addEvent(pointer, &text, Int32(event.count), begin, duration)
    }
}

extension MediaTime {
    /// The nearest.
    var milliseconds: Int64 { (nanoseconds + (nanoseconds < 0 ? -500_000 : 500_000)) / 1_000_000 }
}
