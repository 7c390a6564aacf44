/// What somebody who watches an activity may ask of its work.
///
/// An activity states which of them it takes (``ActivityRecord/controls``); the others are refused with a sentence.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ActivityControl: String, Sendable, Codable, CaseIterable {
    /// Gives the work up; what it has made so far is thrown away.
    case cancel
    case pause, resume
    /// Begins what waits for it.
    case start
    /// Ends the work now and completes what it has made so far.
    case stop
    /// Continues in another file, without a gap.
    case split
    /// Keeps the file that is written now, where old ones are deleted.
    case pin
    /// Names the present place in what is recorded: a chapter of the movie. Its text is the name.
    case mark
    /// Gives the frames of several cameras other places. Its text is the layout, such as "top-left,size=30%".
    case layout
    /// Lets the main camera and the first inset change places.
    case swap
    /// Shows one of several cameras alone, or all again. Its text is "main", "inset" or "all".
    case show
    /// Goes on with another camera in the place of the one that is recorded. Its text is the camera as a person names it; left out, the next
    /// one of the machine's. Of several cameras the main one's place is taken, or that of the one that is named behind a tab.
    case switchCamera = "switch"

    /// Saves the last seconds of a recording to a file of their own. Its text is how many, all that are kept if left out, and behind a
    /// space the file's path; left out, it lies beside the movie.
    case save
    /// Saves the present frame of a recording, or a timelapse's last shot, as an image. Its text is the file's path; left out, it lies beside
    /// the movie. Of a recording a number may stand before it, and a space: of so many frames that follow each other.
    /// "moving" and a tab before all adds a short movie around it. "camera=NAME" and a tab means that camera's own frame, where there are several.
    case snapshot

    /// Records silence in a microphone's place, or the microphone again. Its text is the microphone's name, or a part of it; left out, all
    /// are meant.
    case mute, unmute

    /// Sets controls of a recording's main camera. Its text is what is set, such as "exposure=-1ev gain=40".
    case set

    /// How long the text of a request may be, in bytes.
    package static let longestText = 1024
}
