/// What Matroska and WebM say of frames around the viewer (RFC 9559 section 5.1.4.1.28.41).
extension SphericalVideo {
    /// - Parameter projection: the data of `Projection`.
    /// - Returns: nil of plain frames, and of what nothing here knows.
    init?(projection: ArraySlice<UInt8>) {
        guard let elements = try? Elements(projection),
            let shape = elements.unsigned(.projectionType).flatMap(Shape.init(rawValue:))
        else { return nil }
        self.init(
            shape, details: elements[.projectionPrivate].map { Array($0) },
            pose: Pose(
                yaw: elements.float(.projectionPoseYaw) ?? 0, pitch: elements.float(.projectionPosePitch) ?? 0,
                roll: elements.float(.projectionPoseRoll) ?? 0))
    }

    /// The data of `Projection`; nil where it has no number there.
    package var projection: [UInt8]? {
        guard let shape else { return nil }
        var writer = EBMLWriter()
        writer.unsigned(.projectionType, shape.rawValue)
        writer.data(.projectionPrivate, details)
        writer.float(.projectionPoseYaw, pose.yaw)
        writer.float(.projectionPosePitch, pose.pitch)
        writer.float(.projectionPoseRoll, pose.roll)
        return writer.bytes
    }
}
