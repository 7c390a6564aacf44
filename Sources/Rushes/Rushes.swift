// The umbrella: one import for all that a program needs.
@_exported public import Capture
@_exported public import Encoding
@_exported public import Errors
@_exported public import Export
@_exported public import Imaging
@_exported public import MediaTypes
@_exported public import LiveActivity
@_exported public import MovieFiles
// The paths and the errors of the system that Rushes' own members speak of.
@_exported public import struct SystemPackage.Errno
@_exported public import struct SystemPackage.FilePath
