public import MediaTypes

extension MovieCopy {
    /// What the copy is to be.
    public struct Options: Sendable, Hashable {
        package var fileType: MovieFileType?
        package var timeRange: Range<MediaTime>?
        package var putsIndexFirst: Bool

        /// A copy of everything in a file of the same kind, unless told otherwise.
        ///
        /// - Parameters:
        ///   - fileType: the kind of file; nil for that of the original.
        ///   - timeRange: which part of the presentation is shown, from its beginning; nil for all of it. An upper
        ///     bound beyond the movie's end stands for the end.
        ///   - putsIndexFirst: whether the index comes before the samples, for players that read the movie over a network.
        public init(fileType: MovieFileType? = nil, timeRange: Range<MediaTime>? = nil, putsIndexFirst: Bool = false) {
            self.fileType = fileType
            self.timeRange = timeRange
            self.putsIndexFirst = putsIndexFirst
        }
    }
}
