/// A microphone of a sound server as somebody asked for it.
public struct ServerMicrophone: Sendable, Hashable {
    /// The source's name in the server.
    public var source: String
    /// The name for people.
    public var name: String
    /// Whether it was meant as whichever is the server's default, and may become another.
    public var followsDefault: Bool

    /// - Parameter followsDefault: whether the recording goes over to another microphone when that becomes the default.
    public init(source: String, name: String, followsDefault: Bool) {
        (self.source, self.name, self.followsDefault) = (source, name, followsDefault)
    }
}
