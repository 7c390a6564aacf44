/// A microphone of a sound server as somebody asked for it.
package struct ServerMicrophone: Sendable, Hashable {
    /// The source's name in the server.
    package var source: String
    /// The name for people.
    package var name: String
    /// Whether it was meant as whichever is the server's default, and may become another.
    package var followsDefault: Bool

    /// - Parameter followsDefault: whether the recording goes over to another microphone when that becomes the default.
    package init(source: String, name: String, followsDefault: Bool) {
        (self.source, self.name, self.followsDefault) = (source, name, followsDefault)
    }
}
