/// What one step of a plan decided, and what people are to be told of it.
///
/// Only ``PlanNotes/take(_:)`` gives the value, and takes the notes along, so that no step's notes are forgotten on the way to the plan.
struct Noted<Value: Sendable>: Sendable {
    fileprivate let value: Value
    fileprivate let notes: PlanNotes

    init(_ value: Value, _ notes: PlanNotes = PlanNotes()) { (self.value, self.notes) = (value, notes) }

    /// The value alone, where the same step is planned once more and told then.
    var toldLater: Value { value }
}

/// Sentences for people on what was planned, in the order of the steps.
struct PlanNotes: Sendable {
    private(set) var sentences: [String]

    init(_ sentences: [String] = []) { self.sentences = sentences }

    mutating func add(_ sentence: String) { sentences.append(sentence) }
    mutating func add(_ more: [String]) { sentences += more }

    /// The value of a step, whose notes come behind those that are here.
    mutating func take<Value>(_ step: Noted<Value>) -> Value {
        sentences += step.notes.sentences
        return step.value
    }
}

extension Noted where Value: ExpressibleByNilLiteral {
    /// Nothing, and why.
    static func omitted(_ note: String) -> Noted { Noted(nil, PlanNotes([note])) }
}
