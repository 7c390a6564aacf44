/// How frames are looked at, beside their size: what a file says of the images of both eyes, and of what lies around the viewer.
package struct ImmersiveView: Sendable, Hashable {
    package var stereo: StereoLayout?
    package var spherical: SphericalVideo?

    /// Plain frames, unless told otherwise.
    package init(stereo: StereoLayout? = nil, spherical: SphericalVideo? = nil) {
        (self.stereo, self.spherical) = (stereo, spherical)
    }

    package var isPlain: Bool { stereo == nil && spherical == nil }

    /// Writes it into a `trak`, as far as that does not say it and has words for it.
    func write(to trak: inout Box) throws(MovieFileError) {
        guard !isPlain else { return }
        let boxes = try spherical?.boxes()
        try trak.editSampleEntries("vide") { (entry) throws(MovieFileError) in
            if StereoLayout(entry) == nil, let box = try stereo?.box() { entry.extensions.append(box) }
            if entry["sv3d"] == nil, let box = boxes?.entry { entry.extensions.append(box) }
        }
        if let box = boxes?.track { trak.children?.append(box) }
    }
}
