import CGStreamer

/// A name and named fields: the form of caps, element messages and device properties.
package struct Structure: Sendable, Equatable {
    /// Such as "video/x-raw".
    package var name: String
    /// By name; the order in C is not kept.
    package private(set) var fields: [String: FieldValue]

    /// A structure with these fields.
    package init(name: String, fields: [String: FieldValue] = [:]) {
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

    /// The structure in C, for the caller to free or to give away; `nil` if the name is not one ("a letter, then letters,
    /// digits and /-_.:+").
    func makeCStructure() -> UnsafeMutablePointer<GstStructure>? {
        // Checked here, because GStreamer would print a warning.
        let allowed = name.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/-_.:+".utf8.contains(byte)
        }
        guard allowed, name.first?.isLetter == true, let structure = gst_structure_new_empty(name) else { return nil }
        // Sorted: a dictionary's order changes from run to run, and descriptions are printed and compared.
        for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
            value.withGValue { gst_structure_set_value(structure, field, $0) }
        }
        return structure
    }

    /// The field's value, or `nil` if there is none.
    package subscript(_ field: String) -> FieldValue? { fields[field] }
}
