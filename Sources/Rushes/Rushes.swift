// The umbrella: one import for all that a program needs.
@_exported public import Capture
@_exported public import Encoding
@_exported public import Export
@_exported public import MediaTypes
@_exported public import LiveActivity
@_exported public import MovieFiles
