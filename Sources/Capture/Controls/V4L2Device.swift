import CV4L2
import Foundation

/// A V4L2 device file that is open for its controls; whoever records may have it open too.
struct V4L2Device {
    private let descriptor: Int32

    /// Opens the file for as long as the closure runs. Blocks as long as its driver does.
    ///
    /// - Returns: `nil` where it cannot be opened.
    static func open<Value>(_ path: String, _ body: (V4L2Device) throws -> Value) rethrows -> Value? {
        let descriptor = Foundation.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try body(V4L2Device(descriptor: descriptor))
    }

    func value(of control: UInt32) -> Int32? {
        var value: Int32 = 0
        return rushes_v4l2_get(descriptor, control, &value) == 0 ? value : nil
    }

    /// False where the driver refuses; `errno` says why.
    func set(_ control: UInt32, to value: Int32) -> Bool { rushes_v4l2_set(descriptor, control, value) == 0 }

    /// Its controls of frames, in the driver's order, with what they are now.
    var controls: [V4L2Control] {
        var found: [V4L2Control] = []
        var query = v4l2_queryctrl()
        var last: UInt32 = 0
        // A driver that hands out the same one again is left there.
        while rushes_v4l2_next(descriptor, &query) == 0, query.id > last, found.count < Self.most {
            last = query.id
            if let control = control(query) { found.append(control) }
        }
        return found.filter { V4L2ID.classes.contains($0.id >> 16) && !V4L2ID.audio.contains($0.id) }
    }

    private static let most = 500

    private func control(_ query: v4l2_queryctrl) -> V4L2Control? {
        let kinds: [v4l2_ctrl_type: V4L2Control.Kind] = [
            V4L2_CTRL_TYPE_INTEGER: .integer, V4L2_CTRL_TYPE_BOOLEAN: .boolean, V4L2_CTRL_TYPE_MENU: .menu,
            V4L2_CTRL_TYPE_INTEGER_MENU: .integerMenu,
        ]
        guard query.flags & (rushes_v4l2_disabled | rushes_v4l2_write_only) == 0, query.minimum <= query.maximum,
            let kind = kinds[v4l2_ctrl_type(query.type)]
        else { return nil }
        var control = V4L2Control(
            id: query.id, kind: kind, title: Self.text(query.name), range: query.minimum...query.maximum,
            step: max(1, query.step), defaultValue: query.default_value, value: value(of: query.id),
            isReadOnly: query.flags & rushes_v4l2_read_only != 0, isInactive: query.flags & rushes_v4l2_inactive != 0)
        if kind == .menu || kind == .integerMenu {
            control.items = control.range.prefix(Self.most).compactMap { item($0, of: control) }
        }
        return control
    }

    /// A menu may have holes.
    private func item(_ index: Int32, of control: V4L2Control) -> V4L2Control.Item? {
        var item = rushes_v4l2_item()
        guard index >= 0, rushes_v4l2_menu(descriptor, control.id, UInt32(index), &item) == 0 else { return nil }
        return control.kind == .integerMenu
            ? V4L2Control.Item(index: index, number: item.number)
            : V4L2Control.Item(index: index, title: Self.text(item.title))
    }

    /// A name that fills its field has no end of its own.
    private static func text<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
