import CEXIF
package import Foundation
package import MediaTypes

/// What is written into a photo beside its pixels, as EXIF 2.32 has it: when, where and by what it was taken.
package struct PhotoMarks: Sendable, Hashable {
    /// When the frame was taken; milliseconds are kept.
    package var date: Date
    /// What the local clock was ahead of UTC, in seconds.
    package var secondsFromGMT: Int
    /// How the frame is turned to be shown.
    package var orientation = MovieOrientation.upright
    package var make: String?
    package var model: String?
    package var software: String?
    /// Degrees, north and east positive.
    package var place: (latitude: Double, longitude: Double)? {
        get { latitude.flatMap { latitude in longitude.map { (latitude, $0) } } }
        set { (latitude, longitude) = (newValue?.latitude, newValue?.longitude) }
    }
    private var latitude: Double?
    private var longitude: Double?
    /// Meters above the sea.
    package var altitude: Double?

    package init(date: Date, secondsFromGMT: Int) { (self.date, self.secondsFromGMT) = (date, secondsFromGMT) }

    /// The tags as they stand in a JPEG, behind "Exif" and two zeros; `nil` where there is no memory.
    package func exif() -> [UInt8]? {
        guard let data = exif_data_new() else { return nil }
        defer { exif_data_unref(data) }
        exif_data_set_byte_order(data, EXIF_BYTE_ORDER_INTEL)
        let (main, details, positions) = (data.pointee.ifd.0, data.pointee.ifd.2, data.pointee.ifd.3)
        for (tag, text) in [(0x010F, make), (0x0110, model), (0x0131, software)] {
            if let text, !text.isEmpty { main?.add(tag, text: text) }
        }
        main?.add(0x0112, EXIF_FORMAT_SHORT, count: 1, UInt16(orientation.exif).littleEndianBytes)
        details?.add(0x9000, EXIF_FORMAT_UNDEFINED, count: 4, Array("0232".utf8))
        let (text, fraction, zone) = clock
        main?.add(0x0132, text: text)
        for tag in [0x9003, 0x9004] { details?.add(tag, text: text) }
        for tag in [0x9010, 0x9011, 0x9012] { details?.add(tag, text: zone) }
        for tag in [0x9290, 0x9291, 0x9292] { details?.add(tag, text: fraction) }
        if let place {
            positions?.add(0, EXIF_FORMAT_BYTE, count: 4, [2, 3, 0, 0])
            positions?.add(1, text: place.latitude < 0 ? "S" : "N")
            positions?.add(2, EXIF_FORMAT_RATIONAL, count: 3, Self.degrees(place.latitude))
            positions?.add(3, text: place.longitude < 0 ? "W" : "E")
            positions?.add(4, EXIF_FORMAT_RATIONAL, count: 3, Self.degrees(place.longitude))
            if let altitude {
                positions?.add(5, EXIF_FORMAT_BYTE, count: 1, [altitude < 0 ? 1 : 0])
                positions?.add(6, EXIF_FORMAT_RATIONAL, count: 1, Self.rational(altitude.magnitude, of: 1000))
            }
        }
        var (bytes, count): (UnsafeMutablePointer<UInt8>?, UInt32) = (nil, 0)
        exif_data_save_data(data, &bytes, &count)
        guard let bytes else { return nil }
        defer { free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// As the local clock had it: to the second, its thousandths, and its distance from UTC.
    private var clock: (text: String, fraction: String, zone: String) {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
        let (second, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: secondsFromGMT) ?? .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(second)))
        let minutes = abs(secondsFromGMT) / 60
        return (
            String(
                format: "%04d:%02d:%02d %02d:%02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
                parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0),
            String(format: "%03d", fraction),
            String(format: "%@%02d:%02d", secondsFromGMT < 0 ? "-" : "+", minutes / 60, minutes % 60)
        )
    }

    /// Degrees, minutes and seconds, three fractions.
    private static func degrees(_ value: Double) -> [UInt8] {
        let parts = Int64((value.magnitude * 36_000_000).rounded())
        let (minutes, rest) = parts.quotientAndRemainder(dividingBy: 600_000)
        return rational(Double(minutes / 60), of: 1) + rational(Double(minutes % 60), of: 1)
            + rational(Double(rest) / 10_000, of: 10_000)
    }

    private static func rational(_ value: Double, of denominator: UInt32) -> [UInt8] {
        UInt32(clamping: Int64((value * Double(denominator)).rounded())).littleEndianBytes
            + denominator.littleEndianBytes
    }
}

extension UnsafeMutablePointer<ExifContent> {
    fileprivate func add(_ tag: Int, text: String) {
        let bytes = Array(text.utf8) + [0]
        add(tag, EXIF_FORMAT_ASCII, count: bytes.count, bytes)
    }

    fileprivate func add(_ tag: Int, _ format: ExifFormat, count: Int, _ bytes: [UInt8]) {
        guard let memory = exif_mem_new_default() else { return }
        defer { exif_mem_unref(memory) }
        guard let entry = exif_entry_new_mem(memory) else { return }
        defer { exif_entry_unref(entry) }
        guard let data = exif_mem_alloc(memory, ExifLong(bytes.count)) else { return }
        data.copyMemory(from: bytes, byteCount: bytes.count)
        entry.pointee.tag = ExifTag(rawValue: UInt32(tag))
        entry.pointee.format = format
        entry.pointee.components = UInt(count)
        entry.pointee.data = data.assumingMemoryBound(to: UInt8.self)
        entry.pointee.size = UInt32(bytes.count)
        exif_content_add_entry(self, entry)
    }
}

extension FixedWidthInteger {
    fileprivate var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

extension MovieOrientation {
    /// The EXIF tag `Orientation`, 1 to 8.
    fileprivate var exif: Int {
        switch (rotation, isMirrored) {
        case (.none, false): 1
        case (.none, true): 2
        case (.half, false): 3
        case (.half, true): 4
        case (.threeQuarters, true): 5
        case (.quarter, false): 6
        case (.quarter, true): 7
        case (.threeQuarters, false): 8
        }
    }
}
