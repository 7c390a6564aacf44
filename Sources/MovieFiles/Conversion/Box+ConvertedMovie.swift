extension Box {
    /// Gives a `moov` of the other kind of file what readers of this kind look for.
    mutating func convertMovie(to fileType: MovieFileType) throws(MovieFileError) {
        // Descriptors of a kind that QuickTime never knew.
        if fileType == .mov { removeChildren { $0.type == "iods" } }
        if fileType == .mp4 {
            try edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in
                // QuickTime's preview, poster and selection times are reserved in ISO files.
                let matrix = TimeHeader.movieMatrixOffset(version: try TimeHeader(mvhd).version)
                try mvhd.overwritePayload(at: matrix + 36, with: [UInt8](repeating: 0, count: 24))
            }
            // QuickTime may end its list with a zero.
            try edit(["udta"]) { (udta: inout Box) in
                if udta.payload.allSatisfy({ $0 == 0 }) { udta.payload = [] }
            }
        }
        // Without the header, whose date stays what it is.
        var texts = self
        texts.removeChildren { $0.type == "mvhd" }
        let metadata = try MovieMetadata(moov: texts)
        try writeTexts(of: metadata, isQuickTime: fileType == .mov)
    }
}
