extension CaptureDevice {
    /// Where a camera is built in.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Position: String, Sendable, Hashable {
        /// It looks at whoever looks at the screen.
        case front
        /// It looks the same way as whoever looks at the screen.
        case back
        /// It hangs on a cable, or stands elsewhere.
        case external
    }
}
