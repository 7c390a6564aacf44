package import MediaTypes

/// How long a file's media last, as its bytes tell and not what a demuxer makes of them.
package struct ToldLength: Sendable, Hashable {
    /// nil where it has none, or does not tell.
    package var video: MediaTime?
    package var audio: MediaTime?
    /// Whether the file ends before it says that it does.
    package var isCutOff = false

    package init(video: MediaTime? = nil, audio: MediaTime? = nil) { (self.video, self.audio) = (video, audio) }
}
