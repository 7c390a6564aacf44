import CGStreamer

extension Element {
    /// The name of the first pad template that is given on request in this direction, such as "src_%u".
    func requestTemplate(isSource: Bool) -> String? {
        let direction = isSource ? GST_PAD_SRC : GST_PAD_SINK
        var node = gst_element_get_pad_template_list(pointer)
        while let entry = node {
            if let template = entry.pointee.data?.assumingMemoryBound(to: GstPadTemplate.self),
                template.pointee.direction == direction, template.pointee.presence == GST_PAD_REQUEST
            {
                return copiedString(template.pointee.name_template)
            }
            node = entry.pointee.next
        }
        return nil
    }

    /// A free input that can take what the output gives, requested if need be.
    func compatiblePad(for source: Pad) -> Pad? {
        gst_element_get_compatible_pad(pointer, source.pointer, nil).map { Pad(adopting: $0) }
    }
}
