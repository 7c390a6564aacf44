import Encoding
import GStreamer
import MediaTypes

extension VideoSourcePlan {
    /// The same with frames that hang as those of another camera do, which is in the same movie before it: turned where need be.
    func hanging(like other: MovieOrientation) -> VideoSourcePlan {
        var plan = self
        plan.orientation = other
        plan.turn = orientation.followed(by: other.inverse)
        guard plan.turn != .upright else { return plan }
        plan.nodes += [.make("videoconvert")] + plan.turn.flips
        plan.delivers = .unknown
        return plan
    }
}
