package import Threads

/// A setting or a service as a message names it.
///
/// Messages are made where something fails, deep in the library; what a person can do about it has another name in each
/// program. So a message names it by one of these, and a program that has names of its own sets ``wording`` before it begins.
/// Nothing in the library knows an option of the command.
package enum Term: String, CaseIterable, Sendable, CustomStringConvertible {
    case videoCodec = "video codec"
    case audioCodec = "audio codec"
    case profile
    /// Of each of several cameras' own movie, and those movies.
    case eachCameraCodec = "the codec of each camera's own movie set to"
    case eachCamera = "each camera's own movie"
    case preset
    case quality
    case bitrate = "bit rate"
    case audioBitrate = "audio bit rate"
    case encoderSpeed = "encoder speed"
    case targetQuality = "target quality"
    case targetSize = "target size"
    case size
    case frameRate = "frame rate"
    case crop = "crop area"
    case speed
    case length
    case stamp
    case timelapseAudio = "audio of a timelapse"
    case paddedPhotos = "padding"
    case rotation
    case mirroring
    case deinterlacing
    case lookupTable = "look-up table"
    case videoFilter = "video filter"
    case audioFilter = "audio filter"
    case stillImage = "still image"
    case burntSubtitles = "burnt-in subtitles"
    case addedSubtitles = "added subtitles"
    case addedAudio = "added audio"
    case bitDepth = "bit depth"
    case chroma
    case channels
    case toneMapping = "an export to H.264"
    case sampleRate = "sample rate"
    case audioBitDepth = "audio bit depth"
    case audioDelay = "audio delay"
    case audioTrack = "audio track"
    case subtitleTrack = "subtitle track"
    case fastStart = "index in front"
    case loudness
    case start
    case end
    /// When a frame is shown that becomes an image.
    case imageTime = "time"
    case part
    case separating = "make a file of each"
    /// These end "choose another camera" and the like.
    case byCamera = " for the session"
    case byVideoCodec = " to encode with"
    case bySizeAndRate = " that it has"
    case byAddress = " to listen on"
    /// Goes on after "DeviceDiscovery lists what there is".
    case orNoCamera = ", and a session can do without a camera"
    case orNoMicrophone = ", and a session can do without a microphone"
    case overwriting = "let it be replaced"
    case resuming
    case resumingBatch = "BatchPlan(resuming:)"
    case recursion = "includesSubfolders"
    case reencoding = "encode it again with another preset"
    case reencoded = "encoding again"
    case devices = "DeviceDiscovery"
    /// Lists what a camera has of them.
    case controls = "CameraControls"
    case activities = "ActivityJournal"
    case pageServer = "page"
    case recovery = "MovieRecovery"
    /// How an inset's place in time is found.
    case aligningByTime = "give the time"
    case aligningByAudio = "find it by the audio"
    case transcoding = "ExportSession"
    /// Makes a movie of another's frames and audio as they are.
    case copying = "MovieCopy"
    case newBatch = "a BatchPlan of inputs"

    /// How the program that runs calls them; `nil` leaves the library's own words.
    package static let wording = Locked(Wording { _ in nil })

    /// In a type of its own: a closure that a generic type holds is wrapped anew each time it is read, ever deeper (Swift 6.3).
    package struct Wording: Sendable {
        let words: @Sendable (Term) -> String?

        package init(words: @escaping @Sendable (Term) -> String?) { self.words = words }
    }

    package var description: String { Self.wording.withLock { $0 }.words(self) ?? rawValue }
}
