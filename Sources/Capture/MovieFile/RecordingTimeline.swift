import GStreamer

/// Which spans of the session's running time a recording holds, and where they lie in the movie: the one clock of all its
/// tracks.
///
/// With a camera the recording begins at its first frame after the request, and goes on after a pause likewise; without one
/// at the request itself. A pause begins where a frame would have begun, so that the movie's frames stay as far apart as
/// the camera's. All that is left out is a whole number of audio samples, the same for every track: video and audio cannot
/// drift apart, however often somebody pauses.
struct RecordingTimeline: Sendable, Equatable {
    /// A span without a pause.
    struct Segment: Sendable, Equatable {
        /// Running time of its first moment.
        let begin: MediaTime
        /// Where it lies in the movie, in audio samples.
        let position: Int
        /// Running time at which it ended; `nil` while it goes on.
        var end: MediaTime?
    }

    enum Phase: Sendable, Equatable {
        /// Not asked for, or paused.
        case standing
        /// Waits for the first frame at or after a running time.
        case beginning(MediaTime)
        case recording
        /// Waits for the first frame at or after a running time: there the pause begins.
        case pausing(MediaTime)
    }

    /// Samples a second of the grid on which pauses lie.
    static let sampleRate = AudioSourcePlan.sampleRate

    private(set) var phase = Phase.standing
    private(set) var segments: [Segment] = []
    /// Running time at which every track ends, once that is known. While the recording is paused its limit is not.
    private(set) var end: MediaTime?
    /// How much the movie may hold; its end is known as soon as its beginning is.
    private(set) var maximumDuration: MediaTime?
    private let startsWithVideo: Bool
    /// Whether somebody has asked for the end, which no limit moves any more.
    private(set) var isEnding = false
    /// Whether frames come in another order than they are shown, so that those behind an end tell whether all before it are there.
    private let isReordered: Bool
    private var isEndSettled = false

    /// A recording that has not been asked for yet.
    ///
    /// - Parameters:
    ///   - startsWithVideo: whether frames decide where the recording begins and pauses.
    ///   - isReordered: whether they come in another order than they are shown: then they decide where it ends, too.
    init(startsWithVideo: Bool, maximumDuration: MediaTime? = nil, isReordered: Bool = false) {
        self.startsWithVideo = startsWithVideo
        self.isReordered = isReordered
        self.maximumDuration = maximumDuration
    }

    /// The same, asked for at a running time.
    init(requested: MediaTime, startsWithVideo: Bool, maximumDuration: MediaTime? = nil) {
        self.init(startsWithVideo: startsWithVideo, maximumDuration: maximumDuration)
        request(at: requested)
    }

    /// Running time of the movie's time zero, once it is known.
    var start: MediaTime? { segments.first?.begin }

    /// Whether nothing is recorded, or will be from the next frame on.
    var isPaused: Bool {
        switch phase {
        case .pausing: true
        case .standing: !segments.isEmpty && !isEnding
        case .beginning, .recording: false
        }
    }

    /// Whether it is not known yet where the pause begins that was asked for.
    var isAboutToPause: Bool { if case .pausing = phase { true } else { false } }

    /// Whether frames may still move the end.
    var isAboutToEnd: Bool { isReordered && end != nil && !isEndSettled }

    // MARK: Commands

    /// Asks for the recording, which begins now or with the first frame from now on.
    mutating func request(at time: MediaTime) {
        guard phase == .standing, !isEnding else { return }
        phase = .beginning(time)
        if !startsWithVideo { begin(at: time) }
    }

    /// Pauses, now or with the next frame. False if there is nothing to pause, or the end comes first.
    mutating func pause(at time: MediaTime) -> Bool {
        guard !isEnding, time < end ?? .max else { return false }
        switch phase {
        case .recording where startsWithVideo: phase = .pausing(time)
        case .recording: pauseBegins(at: time)
        // It has not gone on yet.
        case .beginning where !segments.isEmpty: phase = .standing
        default: return false
        }
        return true
    }

    /// Goes on, now or with the next frame. False if nothing is paused.
    mutating func resume(at time: MediaTime) -> Bool {
        guard isPaused else { return false }
        // Less than a frame was to be left out.
        if case .pausing = phase { phase = .recording } else { request(at: time) }
        return true
    }

    /// Ends the recording at a running time, or where it is paused; the earliest end that was asked for holds.
    ///
    /// - Parameter border: where frames meet that is nearest to a time, so that the audio ends with the last frame.
    mutating func end(at time: MediaTime, border: (MediaTime) -> MediaTime = { $0 }) {
        var time = time
        if case .pausing(let since) = phase { (time, phase) = (min(time, since), .recording) }
        if phase == .recording { time = border(time) }
        if phase != .recording, let last = segments.last { (time, phase) = (last.end ?? time, .standing) }
        end = min(end ?? time, time)
        isEnding = true
    }

    /// Says how much the movie may hold once that is known, for a recording that waited for its start; `nil` where it waits again.
    mutating func limit(to duration: MediaTime?) {
        maximumDuration = duration
        guard !isEnding, let last = segments.last, last.end == nil else { return }
        end = duration.map { last.begin + $0 - Self.time(last.position) }
    }

    // MARK: Facts

    /// The first frame of a segment has come.
    mutating func begin(at time: MediaTime) {
        guard case .beginning = phase else { return }
        let place = segments.last.map { position(of: $0.end ?? time, in: $0) } ?? 0
        segments.append(Segment(begin: time, position: place))
        phase = .recording
        if let maximumDuration, !isEnding { end = time + maximumDuration - Self.time(place) }
    }

    /// A frame has come with which the pause begins; it is not part of the recording.
    mutating func pauseBegins(at time: MediaTime) {
        guard let last = segments.indices.last else { return }
        segments[last].end = max(segments[last].begin, time)
        phase = .standing
        if !isEnding { end = nil }
    }

    /// Moves the pause that is about to begin, or the end, behind frames that are in the recording.
    mutating func extend(to time: MediaTime) {
        if case .pausing(let since) = phase { return phase = .pausing(max(since, time)) }
        end = end.map { max($0, time) }
    }

    /// No frame moves the end any more.
    mutating func settleEnd() { isEndSettled = true }

    /// Lets a pause begin where it was asked for if no frame comes for so long.
    mutating func settle(at time: MediaTime, after timeout: MediaTime = .second) {
        if case .pausing(let since) = phase, time - since > timeout { pauseBegins(at: since) }
    }

    // MARK: The movie's times

    /// The presentation timestamp of a running time: in a pause, where that lies. `nil` before the recording.
    func movieTime(of time: MediaTime) -> MediaTime? {
        guard let segment = segments.last(where: { $0.begin <= time }) ?? segments.first else { return nil }
        return Self.time(segment.position) + min(time, segment.end ?? time) - segment.begin
    }

    /// The same for what somebody names: in a pause that is about to begin, where that was asked for.
    func place(of time: MediaTime) -> MediaTime? {
        if case .pausing(let since) = phase { return movieTime(of: min(time, since)) }
        return movieTime(of: time)
    }

    /// Whether the sample that ends at a running time is part of the movie: not before its beginning, in a pause, or after its end. A start or
    /// pause whose first frame has not arrived yet counts from the time at which it was requested.
    func holds(_ time: MediaTime) -> Bool {
        guard let segment = segments.last(where: { $0.begin < time }), time < end ?? .max else { return false }
        if let end = segment.end { return time < end }
        if case .pausing(let since) = phase { return time < since }
        return true
    }

    /// The running time of a presentation timestamp, the inverse of ``movieTime(of:)``: where a pause lies, its end. `nil` before the
    /// recording.
    func runningTime(at movieTime: MediaTime) -> MediaTime? {
        let segment = segments.last { Self.time($0.position) <= movieTime } ?? segments.first
        return segment.map { $0.begin + movieTime - Self.time($0.position) }
    }

    /// Where a segment ends in the movie, in samples; `nil` while that is not known.
    func endPosition(of index: Int) -> Int? {
        let segment = segments[index]
        let known = segment.end ?? (index == segments.count - 1 ? end : nil)
        return known.map { position(of: $0, in: segment) }
    }

    /// Whether a track that holds so many segments to their ends holds all.
    func isComplete(with count: Int) -> Bool { end != nil && !segments.isEmpty && count >= segments.count }

    /// The place in the movie of a running time in a segment, in samples.
    func position(of time: MediaTime, in segment: Segment) -> Int {
        segment.position + max(0, Int(((time - segment.begin).seconds * Double(Self.sampleRate)).rounded()))
    }

    /// A place in samples as a time. Whole seconds apart, so that a long recording does not overflow.
    static func time(_ position: Int) -> MediaTime {
        MediaTime(samples: position, rate: sampleRate)
    }
}
