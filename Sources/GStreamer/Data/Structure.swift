import CGStreamer

/// A name and named fields: the form of caps, element messages and device properties.
public struct Structure: Sendable, Equatable {
    public var name: String
    public private(set) var fields: [String: FieldValue]

    public init(name: String, fields: [String: FieldValue] = [:]) {
        self.name = name
        self.fields = fields
    }

    init(copying structure: UnsafePointer<GstStructure>) {
        name = copiedString(gst_structure_get_name(structure)) ?? ""
        fields = [:]
        for index in 0..<max(0, gst_structure_n_fields(structure)) {
            guard let field = gst_structure_nth_field_name(structure, guint(index)),
                let value = gst_structure_get_value(structure, field)
            else { continue }
            fields[String(cString: field)] = FieldValue(value)
        }
    }

    /// Takes the structure over and frees it.
    init(adopting structure: UnsafeMutablePointer<GstStructure>) {
        self.init(copying: structure)
        gst_structure_free(structure)
    }

    public subscript(_ field: String) -> FieldValue? { fields[field] }
}
