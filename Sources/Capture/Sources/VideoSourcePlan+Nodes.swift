public import Errors
import GStreamer

extension VideoSourcePlan {
    /// Plans how a camera is opened.
    ///
    /// - Throws: ``RushesError`` if the camera has no such format, or an option of a test pattern is bad.
    public init(_ source: VideoSource, _ request: FormatRequest = FormatRequest()) throws(RushesError) {
        switch source {
        case .device(let device) where device.backend == .test: try self.init(test: TestPattern(), request)
        case .device(let device): try self.init(device, FormatChoice(of: device, request), request)
        case .test(let pattern): try self.init(test: pattern, request)
        case .launchLine(let line):
            try self.init(launchLine: line, request)
        }
    }

    /// A device in a mode that was chosen.
    private init(_ device: CaptureDevice, _ choice: FormatChoice, _ request: FormatRequest) throws(RushesError) {
        let caps = choice.format.caps(rate: choice.rate)
        (name, self.device, backend, formats) = (device.name, device.id, device.backend, device.formats)
        path = Self.path(device)
        (controlPath, position) = (device.path, device.position)
        nodes = [Self.element(device), .caps(caps)]
        (format, rate, dropToRate) = (choice.format, choice.rate, choice.dropToRate)
        isStampedOnArrival = device.backend == .pipewire
        var words = "\(device.name), \(choice.words)"
        switch (choice.format.encoding, request.copiesStream) {
        case (.raw, _):
            outputFormat = .raw(caps)
            words += " \(choice.format.pixelFormat ?? "")"
        case (let encoding, true):
            let stream = VideoDecoding.stream(encoding, choice.format, choice.rate)
            nodes += stream.nodes
            outputFormat = .encoded(encoding, stream.caps)
            words += ", its \(encoding.words) stream as it comes"
        case (let encoding, false):
            let decoder = try VideoDecoding.decoder(of: encoding)
            nodes += VideoDecoding.nodes(encoding, decoder)
            outputFormat = .raw(
                Caps(
                    "video/x-raw",
                    [
                        "width": .int(Int64(choice.format.width)), "height": .int(Int64(choice.format.height)),
                        "framerate": .fraction(choice.rate),
                    ]))
            self.decoder = decoder
            words += ", \(encoding.words) decoded by \(decoder)"
        }
        if let dropToRate { words += ", frames dropped to \(dropToRate.rateText) a second" }
        summary = words
    }

    /// The same for the device as it is found again: on Linux a camera that was unplugged may get another device file. One that has the mode
    /// no longer, as at a slower port, is opened in the one that comes next to it, and its frames are fitted into the movie.
    func reopened(as device: CaptureDevice) -> VideoSourcePlan {
        if lacksMode(device), let other = inOtherMode(of: device) { return other }
        var plan = self
        if !nodes.isEmpty { plan.nodes[0] = Self.element(device) }
        plan.path = Self.path(device)
        plan.controlPath = device.path
        return plan
    }

    /// Whether frames of another size could only come; a compressed stream that is copied has no other.
    private func lacksMode(_ device: CaptureDevice) -> Bool {
        guard encoding == nil, let format, !device.formats.isEmpty else { return false }
        return !device.formats.contains { $0.size == format.size && $0.encoding == format.encoding }
    }

    private func inOtherMode(of device: CaptureDevice) -> VideoSourcePlan? {
        let request = FormatRequest(following: self, by: device, size: nil, rate: nil, bitDepth: 8)
        guard var plan = try? VideoSourcePlan(.device(device), request) else { return nil }
        plan.position = position
        // As it hangs by itself: what its frames are turned by, and what is true of them then.
        plan.orientation = turn.followed(by: orientation)
        return plan.rotated(like: orientation)
    }

    private static func path(_ device: CaptureDevice) -> String? { device.backend == .v4l2 ? device.path : nil }

    private static func element(_ device: CaptureDevice) -> PipelineDescription.Node {
        switch device.backend {
        case .pipewire: .pipeWireSource(device)
        case .libcamera: .make("libcamerasrc", ["camera-name": .text(device.address)])
        case .v4l2, .pulseaudio, .test:
            // The driver's own monotonic stamps are better than the time of arrival, so they are left alone.
            .make("v4l2src", ["device": .text(device.address), "do-timestamp": false])
        }
    }

    private init(launchLine line: String, _ request: FormatRequest) throws(RushesError) {
        name = "gst:\(line)"
        if request.copiesStream {
            nodes = [.launchLine(try LaunchLine(line: line).h264())]
            outputFormat = .encoded(
                .h264, Caps("video/x-h264", ["stream-format": .string("byte-stream"), "alignment": .string("au")]))
            summary = "gst:\(line), its H.264 stream as it comes"
        } else {
            // Any of these goes to an encoder as it is or nearly so; left open, a test source would choose 16-bit ABGR.
            var caps = "video/x-raw,format=(string){"
            caps += (request.bitDepth > 8 ? "I420_10LE,P010_10LE,I422_10LE,v210," : "") + "I420,NV12,YUY2,UYVY,Y42B"
            caps += "}"
            if let size = request.size { caps += ",width=\(size.width),height=\(size.height)" }
            if let rate = request.rate { caps += ",framerate=\(rate)" }
            nodes = [.launchLine(try LaunchLine(line: line).raw(.video, caps: caps))]
            outputFormat = .unknown
            summary = "gst:\(line)"
        }
        (format, rate, dropToRate, decoder) = (nil, request.copiesStream ? nil : request.rate, nil, nil)
    }

    private init(test pattern: TestPattern, _ request: FormatRequest) throws(RushesError) {
        if request.copiesStream {
            throw RushesError(
                .unsupportedFormat,
                "the test pattern has no compressed stream to copy; choose a codec\(Term.byVideoCodec)")
        }
        if let own = pattern.size, let asked = request.size, own != asked {
            throw RushesError(.badSource, "the test pattern is given two sizes, \(own) and \(asked); leave one out")
        }
        if let own = pattern.rate, let asked = request.rate, !own.isSameRate(as: asked) {
            throw RushesError(
                .badSource, "the test pattern is given two rates, \(own.rateText) and \(asked.rateText); leave one out")
        }
        guard ElementFactory("videotestsrc") != nil else {
            throw RushesError(.missingPlugin, "the test pattern needs videotestsrc; install gstreamer1.0-plugins-base")
        }
        do {
            try Element("videotestsrc").set("pattern", to: .text(pattern.pattern))
        } catch {
            throw RushesError(
                .badSource,
                "test:pattern=\(pattern.pattern): no such pattern; smpte, ball, snow, black, white, circular and pinwheel are some",
                underlying: error)
        }
        let size = pattern.size ?? request.size ?? VideoSize(1280, 720)
        let rate = pattern.rate ?? request.rate ?? Fraction(30)
        // Of 10 bits videotestsrc (1.22) has no more colours, and its white is 943 where it is 940.
        let format = CaptureFormat(encoding: .raw, pixelFormat: "I420", size: size, rates: [rate])
        let caps = format.caps(rate: rate)
        name = CaptureDevice.testCamera.name
        nodes = [.make("videotestsrc", ["is-live": true, "pattern": .text(pattern.pattern)]), .caps(caps)]
        outputFormat = .raw(caps)
        (self.format, self.rate, dropToRate, decoder) = (format, rate, nil, nil)
        summary = "\(CaptureDevice.testCamera.name), \(size) at \(rate.rateText)"
    }
}

extension CaptureFormat.Encoding {
    /// The name for people.
    var words: String {
        switch self {
        case .raw: "raw"
        case .mjpeg: "MJPEG"
        case .h264: "H.264"
        }
    }
}

extension PipelineDescription.Node {
    /// A camera or a microphone of PipeWire.
    ///
    /// Stamped here, as its own times are of no use (0.3.65). Copied, as four frames that an encoder holds stop the
    /// camera for good: measured, 16 of 75 frames came in 2.5 s; copied, 75 with a hundred held.
    static func pipeWireSource(_ device: CaptureDevice) -> Self {
        .make(
            "pipewiresrc",
            [
                "target-object": .text(device.address), "do-timestamp": true, "always-copy": true,
                "client-name": "rushes",
            ])
    }
}
