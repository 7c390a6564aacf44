import Foundation

/// What an activity is about; it never changes, and comes with its start only.
public struct ActivityAttributes: Sendable, Codable, Hashable {
    /// For people.
    public let title: String
    /// The path of what is made; where that is not UTF-8 a `file:` URL.
    public let output: String?
    /// The first few inputs.
    public let inputs: [String]
    /// The number of inputs where ``inputs`` does not name them all.
    package let inputCount: Int?
    /// The activity that this one is a part of, such as the batch of an export.
    package let parent: String?
    /// The process that does the work.
    package let pid: Int32

    /// - Parameter inputs: all of them; the attributes keep the first three.
    public init(title: String, output: String? = nil, inputs: [String] = [], parent: String? = nil, pid: Int32? = nil) {
        self.title = title
        self.output = output
        self.inputs = Array(inputs.prefix(3))
        inputCount = inputs.count > 3 ? inputs.count : nil
        self.pid = pid ?? ProcessInfo.processInfo.processIdentifier
        self.parent = parent
    }

    /// Whether they fit an event; ActivityKit refuses to start an activity whose attributes do not.
    package var isWithinLimit: Bool { Wire.byteCount(self) <= ActivityEvent.byteLimit }

    /// The same in a form that fits: without inputs, then without the output, then with a shorter title.
    ///
    /// A file's path may be longer than an activity's attributes; the work goes on all the same.
    package var fitted: ActivityAttributes {
        var fitted = self
        if !fitted.isWithinLimit { fitted = ActivityAttributes(title: title, output: output, parent: parent, pid: pid) }
        if !fitted.isWithinLimit { fitted = ActivityAttributes(title: title, parent: parent, pid: pid) }
        // Each character of JSON takes six bytes at most, and there is room for little else.
        if !fitted.isWithinLimit { fitted = ActivityAttributes(title: title.prefix(120) + "…", pid: pid) }
        return fitted.isWithinLimit ? fitted : ActivityAttributes(title: "…", pid: pid)
    }
}

extension ActivityAttributes {
    /// Its JSON. Whoever reads it looks for the parent: that is `null` where there is none; other keys are left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(output, forKey: .output)
        try container.encode(inputs, forKey: .inputs)
        try container.encodeIfPresent(inputCount, forKey: .inputCount)
        try container.encode(parent, forKey: .parent)
        try container.encode(pid, forKey: .pid)
    }
}
