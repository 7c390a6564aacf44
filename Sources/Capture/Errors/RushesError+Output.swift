import Errors

extension RushesError {
    /// An output belongs to one session.
    static var otherSession: RushesError {
        RushesError(.badSource, "The output was added to another session; make one for each.")
    }
}
