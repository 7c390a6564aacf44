import CGStreamer

/// A device as one of GStreamer's providers describes it.
package struct Device: Sendable {
    let reference: ObjectReference

    /// Takes over a device as providers hand it out: owned, and from some of them still floating.
    init(adopting device: UnsafeMutablePointer<GstDevice>) { reference = ObjectReference(sinking: device) }

    private var pointer: UnsafeMutablePointer<GstDevice> { reference.cast() }

    /// The name for people.
    package var displayName: String { takenString(gst_device_get_display_name(pointer)) ?? "" }
    /// Such as "Video/Source" or "Audio/Source".
    package var deviceClass: String { takenString(gst_device_get_device_class(pointer)) ?? "" }
    /// What it can deliver, or `nil` where the provider does not say.
    package var caps: Caps? { gst_device_get_caps(pointer).map { Caps(adopting: $0) } }
    /// The provider's own words on the device, such as its bus path.
    package var properties: Structure {
        gst_device_get_properties(pointer).map { Structure(adopting: $0) } ?? Structure(name: "")
    }
}
