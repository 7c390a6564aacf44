import GStreamer

/// What is said of the input's streams that nothing was made of.
enum StreamLosses {
    /// Sentences about what neither comes out of the reader nor is left out for a reason that is told elsewhere.
    ///
    /// - Parameters:
    ///   - hasTimeCode: whether the input has a track of time codes that is known here; what becomes of it is told elsewhere too.
    ///   - hasOwnSubtitles: whether subtitles are read from the input's index; then what becomes of them is told there.
    ///   - carriesImages: whether subtitles that are images are in the output all the same.
    ///   - carriesData: whether data tracks are in the output all the same; what is missing of them is told there.
    ///   - empty: streams whose decoder gave nothing at all.
    static func notes(
        _ reader: MediaReader, _ declared: [DeclaredStream], hasTimeCode: Bool, hasOwnSubtitles: Bool,
        carriesImages: Bool, carriesData: Bool, empty: [SourceStream]
    ) -> [String] {
        let unread = unread(reader, declared).filter {
            !(hasTimeCode && $0.codec == "tmcd") && !(carriesData && $0.kind == .data)
        }
        let others = otherPrograms(reader.streamIdentifiers, declared)
        func isOurs(_ caps: Caps) -> Bool {
            !(hasOwnSubtitles && isSubtitle(caps)) && !(carriesImages && isImage(caps))
                && !(carriesData && isData(caps))
        }
        return unread.filter { stream in !others.contains { $0.program == stream.program } }.map(\.note)
            + others.map(\.note) + reader.silent.filter(isOurs).map(silent)
            + reader.unknown.filter(isOurs).map(unknown)
            + reader.late.filter { !(hasOwnSubtitles && $0.kind == .text) }.map(late) + empty.map(Self.empty)
    }

    /// What is said of subtitles that nothing is made of.
    static func subtitles(_ count: Int, of name: String) -> String? {
        guard count > 0 else { return nil }
        return count == 1
            ? "The subtitles of \(name) were left out." : "The \(count) subtitle tracks of \(name) were left out."
    }

    private static func isSubtitle(_ caps: Caps) -> Bool {
        let name = caps.first?.name ?? ""
        return ["subpicture/", "subtitle/", "text/", "closedcaption/", "application/x-ssa", "application/x-ass"]
            .contains { name.hasPrefix($0) } || name.contains("subtitle")
    }

    private static func isImage(_ caps: Caps) -> Bool { caps.first?.name.hasPrefix("subpicture/") == true }

    private static func isData(_ caps: Caps) -> Bool { caps.first?.name.hasPrefix("meta/") == true }

    /// Streams of the input's index that no demuxer has named.
    static func unread(_ reader: MediaReader, _ declared: [DeclaredStream]) -> [DeclaredStream] {
        unread(reader.streamIdentifiers, declared)
    }

    private static func unread(_ names: [String], _ declared: [DeclaredStream]) -> [DeclaredStream] {
        guard !names.isEmpty else { return [] }
        return declared.filter { stream in stream.isReplacement || !names.contains { $0.hasSuffix(stream.suffix) } }
    }

    /// A program of a transport stream of which nothing is read: its demuxer (1.22) takes one.
    struct OtherProgram: Sendable, Hashable {
        var program: Int
        var codecs: [String]

        /// A sentence about it.
        var note: String {
            "Program \(program) (\(codecs.joined(separator: ", "))) was left out: one program of a transport stream is read; "
                + "ffmpeg -i … -map 0:p:\(program) -c copy makes a file of this one."
        }
    }

    static func otherPrograms(_ names: [String], _ declared: [DeclaredStream]) -> [OtherProgram] {
        let unread = Set(unread(names, declared))
        // A stream may belong to several.
        let read = Set(declared.filter { !unread.contains($0) }.compactMap(\.program))
        guard !read.isEmpty else { return [] }
        let others = unread.compactMap(\.program).filter { !read.contains($0) }
        return Set(others).sorted().map { program in
            OtherProgram(program: program, codecs: declared.filter { $0.program == program }.map(\.codec))
        }
    }

    private static func unknown(_ caps: Caps) -> String {
        isImage(caps)
            ? "Image subtitles (\(caps.codecName)) were left out."
            : "A data track (\(caps.codecName)) was left out."
    }

    private static func silent(_ caps: Caps) -> String {
        "A stream (\(caps.codecName)) was left out: it is empty, or nothing here reads it."
    }

    private static func late(_ stream: SourceStream) -> String {
        "\(noun(stream)) (\(stream.caps.codecName)) was left out, as it begins late in the file; with ffmpeg -i … -map 0 -c copy "
            + "the file gets an index that names it from the beginning."
    }

    private static func empty(_ stream: SourceStream) -> String {
        "\(noun(stream)) \(stream.index + 1) (\(stream.caps.codecName)) was left out: it is empty, or nothing of it can be "
            + "decoded."
    }

    private static func noun(_ stream: SourceStream) -> String {
        switch stream.kind {
        case .video: "Video track"
        case .audio: "Audio track"
        case .text: "Subtitle track"
        }
    }
}
