package import GStreamer
package import MovieFiles

extension MasteringDisplay {
    /// What caps say (`mastering-display-info`): red, green, blue and white in steps of 0.00002, then the brightest and the darkest light in
    /// steps of 0.0001 candela a square metre; nil where they say nothing.
    package init?(_ caps: Caps) {
        guard let numbers = caps.numbers("mastering-display-info"), numbers.count == 10 else { return nil }
        func place(_ index: Int) -> Chromaticity {
            Chromaticity(x: Double(numbers[2 * index]) / 50_000, y: Double(numbers[2 * index + 1]) / 50_000)
        }
        self.init(
            red: place(0), green: place(1), blue: place(2), whitePoint: place(3),
            maximumLuminance: Double(numbers[8]) / 10_000, minimumLuminance: Double(numbers[9]) / 10_000)
    }
}

extension ContentLight {
    /// What caps say (`content-light-level`), in candela a square metre; nil where they say nothing.
    package init?(_ caps: Caps) {
        guard let numbers = caps.numbers("content-light-level"), numbers.count == 2 else { return nil }
        self.init(maximum: numbers[0], average: numbers[1])
    }
}

extension LightMetadata {
    /// What caps say.
    package init(_ caps: Caps) { self.init(display: MasteringDisplay(caps), content: ContentLight(caps)) }
}

extension Caps {
    /// The same that says of light what it does not already: some encoders write that into their streams.
    package func telling(_ light: LightMetadata) -> Caps {
        guard let first else { return self }
        var fields = first.fields
        if let display = light.display, fields["mastering-display-info"] == nil {
            let places = [display.red, display.green, display.blue, display.whitePoint].flatMap { [$0.x, $0.y] }
            let numbers =
                places.map { $0 * 50_000 } + [display.maximumLuminance, display.minimumLuminance].map { $0 * 10_000 }
            fields["mastering-display-info"] = .string(numbers.map { "\(Int($0.rounded()))" }.joined(separator: ":"))
        }
        if let content = light.content, fields["content-light-level"] == nil {
            fields["content-light-level"] = .string("\(content.maximum):\(content.average)")
        }
        return fields == first.fields ? self : Caps(first.name, fields)
    }
    /// Of a field that has several, with colons between them.
    fileprivate func numbers(_ field: String) -> [Int]? {
        first?[field]?.stringValue?.split(separator: ":").compactMap { Int($0) }
    }
}
