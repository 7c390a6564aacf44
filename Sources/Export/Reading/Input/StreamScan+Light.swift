import Encoding
package import MovieFiles

extension StreamScan.Stream {
    /// What its caps tell of HDR10, into which parsers put what HEVC's frames tell.
    package var light: LightMetadata { LightMetadata(caps) }
}
