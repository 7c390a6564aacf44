import MovieFiles
import SystemPackage

extension FilePath {
    /// As it is called from the root, in one way only.
    var rooted: FilePath { isAbsolute ? self : absolute.lexicallyNormalized() }
}
