@_exported public import Capture
@_exported public import Encoding
@_exported public import LiveActivity
@_exported public import MovieFiles
