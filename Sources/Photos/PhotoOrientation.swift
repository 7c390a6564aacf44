package import MediaTypes

/// How a photo is turned to be shown: first mirrored, then turned clockwise.
package struct PhotoOrientation: Sendable, Hashable {
    package var rotation: MovieOrientation.Rotation = .none
    package var isMirrored = false

    /// As it is stored.
    package init() {}

    /// By the EXIF tag `Orientation`, 1 to 8.
    init(exif: Int) {
        isMirrored = [2, 4, 5, 7].contains(exif)
        rotation =
            switch exif {
            case 3, 4: .half
            case 6, 7: .quarter
            case 5, 8: .threeQuarters
            default: .none
            }
    }
}
