import Foundation

/// Which of many frames are much lighter or darker than those around them: a flash, a car's lights, a bird before the lens.
package enum LightOutliers {
    /// From the median of its neighborhood on, in stops: more than twice what cameras' exposures differ by.
    static let least = 0.35
    /// Frames before and behind that are its neighborhood: four that belong together still stand out of the rest.
    static let neighborhood = 4

    /// - Parameter lights: the mean linear light of each frame; nil where it is not known.
    package static func indices(of lights: [Double?]) -> Set<Int> {
        let values = logarithms(lights)
        return Set(values.indices.filter { standsOut($0, of: values) })
    }

    static func logarithms(_ lights: [Double?]) -> [Double?] {
        lights.map { light in light.map { log2(max($0, 1e-6)) } }
    }

    /// The median of a frame's neighborhood; nil at both ends, where of a ramp it is the middle of what lies on one side.
    static func median(of values: [Double?], at index: Int) -> Double? {
        guard index >= neighborhood, index + neighborhood < values.count else { return nil }
        let near = values[index - neighborhood...index + neighborhood].compactMap(\.self).sorted()
        return near.isEmpty ? nil : near[near.count / 2]
    }

    private static func standsOut(_ index: Int, of values: [Double?]) -> Bool {
        guard let value = values[index] else { return false }
        if let median = median(of: values, at: index) { return abs(value - median) > least }
        // Near an end it is one that no other is like.
        let others = max(0, index - neighborhood)...min(values.count - 1, index + neighborhood)
        let distances = others.filter { $0 != index }.compactMap { values[$0].map { abs($0 - value) } }
        return distances.count >= 2 && distances.allSatisfy { $0 > least }
    }
}
