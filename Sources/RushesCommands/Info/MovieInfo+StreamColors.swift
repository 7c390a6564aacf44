import GStreamer
import MovieFiles
import Rushes

extension MovieInfo.Video {
    /// Takes what the stream says of its colors.
    mutating func read(_ told: Colorimetry) {
        // GStreamer has one word for the matrices of PAL and NTSC, which are the same; the colors beside them tell which is meant.
        let matrix = told.primaries == 5 && told.matrix == 6 ? 5 : told.matrix
        let color = ColorInformation(
            primaries: UInt16(clamping: told.primaries), transfer: UInt16(clamping: told.transfer),
            matrix: UInt16(clamping: matrix), isFullRange: told.isFullRange)
        (colorPrimaries, transfer, self.matrix) = (color.primariesName, color.transferName, color.matrixName)
        range = color.rangeName
    }
}
