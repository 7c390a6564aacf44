public import MediaTypes

/// In tests a bare number is a time in nanoseconds, so that rows of them can be read; in the sources it is none.
extension MediaTime: ExpressibleByIntegerLiteral {
    public init(integerLiteral nanoseconds: Int64) { self.init(nanoseconds: nanoseconds) }
}
