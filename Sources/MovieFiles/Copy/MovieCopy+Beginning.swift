extension MovieCopy {
    /// The frames of a part before its first group that can be copied whole.
    package struct Beginning: Sendable, Hashable {
        package let frameCount: Int
        /// From the first of them, which can be under way when the part begins, to the first that is copied, in seconds of the
        /// original's presentation.
        package let timeRange: Range<Double>
        /// When the original's first frame is shown, in seconds of its presentation.
        package let firstTime: Double
    }
}
