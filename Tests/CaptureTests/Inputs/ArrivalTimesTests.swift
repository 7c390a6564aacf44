import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite struct ArrivalTimesTests {
    private static let frame = MediaTime(seconds: 1.0 / 30)

    /// Frames of a PipeWire camera at 30 beside six busy loops on two cores: the number that each showed, and how many microseconds after
    /// number 0 was taken it was stamped.
    private static let recorded: [(number: Int, stamp: Int)] = [
        (0, 3927), (1, 38825), (2, 76184), (3, 105946), (4, 170545), (5, 183565), (6, 211119), (10, 428563),
        (11, 428748), (12, 428793), (13, 434465), (15, 516426), (16, 546471), (17, 574538), (18, 606178),
        (19, 638283), (20, 683657), (21, 708043), (22, 738993), (23, 783536), (25, 866513), (26, 870520),
        (27, 918234), (28, 953532), (29, 977416), (30, 1017834), (31, 1039885), (32, 1073668), (33, 1100677),
        (34, 1151283), (35, 1168642), (36, 1204101), (37, 1236426), (38, 1277994), (39, 1301379), (40, 1338272),
        (41, 1368257), (42, 1412697), (43, 1439927), (44, 1469888), (45, 1502983), (46, 1537932), (47, 1598526),
        (48, 1636937), (49, 1637146), (61, 2074475), (62, 2074709), (70, 2334034), (71, 2394583), (76, 2550541),
        (77, 2580061), (78, 2603539), (82, 2738636), (83, 2790797), (84, 2877224), (86, 2886755), (87, 2903699),
        (89, 3012343), (90, 3037999), (91, 3086767), (92, 3087114), (93, 3136881), (94, 3219449), (95, 3219685),
        (96, 3219743), (97, 3243903), (98, 3294683), (99, 3319660), (103, 3462645), (104, 3536432), (105, 3536631),
        (106, 3536763), (107, 3579903), (108, 3611558), (110, 3714617), (111, 3714841), (112, 3760091),
        (113, 3774550), (114, 3818512), (116, 3910749), (117, 3911997), (119, 3984506), (120, 4037445),
        (121, 4039309), (122, 4086121), (123, 4122093), (126, 4290515), (128, 4348459), (132, 4451719),
        (134, 4522220), (135, 4522462), (136, 4542981), (137, 4599661), (138, 4601157), (139, 4642666),
        (140, 4675934), (141, 4787267), (142, 4787512), (143, 4787567), (144, 4810638), (145, 4844402),
        (146, 4871031), (148, 5063164), (149, 5063371), (150, 5063424), (151, 5063464), (152, 5071422),
        (164, 5593369), (165, 5593588), (166, 5593642),
    ]

    /// The times that frames get, by their indices.
    private func times(_ stamps: [MediaTime], isFlushed: Bool = true) -> [(index: Int, time: MediaTime)] {
        var times = ArrivalTimes<Int>(frameDuration: Self.frame)
        var given = stamps.enumerated().flatMap { times.receive($0, stamp: $1) }
        if isFlushed { given += times.flush() }
        return given.map { (index: $0.frame, time: $0.time) }
    }

    @Test func `frames that came at once lie where they were taken`() {
        let stamps = Self.recorded.map { MediaTime.second + $0.stamp * .microsecond }
        let taken = Self.recorded.map { MediaTime.second + $0.number * Self.frame }
        let given = times(stamps)
        #expect(given.map(\.index) == Array(0..<stamps.count))
        #expect(zip(given, given.dropFirst()).allSatisfy { $1.time > $0.time })
        let before = zip(stamps, taken).map { $0 - $1 }
        let after = zip(given.map(\.time), taken).map { ($0 - $1).length }
        #expect(before.count { $0 > Self.frame } > 25)
        #expect(after.count { $0 > Self.frame } <= 14, "\(after)")
        // Two numbers apart, two frames apart.
        func uneven(_ times: [MediaTime]) -> Int {
            (1..<times.count).count { index in
                let step: MediaTime = times[index] - times[index - 1]
                let expected: MediaTime = taken[index] - taken[index - 1]
                return (step - expected).length > Self.frame / 2
            }
        }
        #expect(uneven(given.map(\.time)) < uneven(stamps), "\(uneven(given.map(\.time))) \(uneven(stamps))")
    }

    @Test func `a camera that leaves frames out keeps its times, one frame late`() {
        let stamps = (0..<300).filter { $0 % 30 < 25 }.map { MediaTime.second + $0 * Self.frame }
        var times = ArrivalTimes<Int>(frameDuration: Self.frame)
        for (index, stamp) in stamps.enumerated() {
            let given = times.receive(index, stamp: stamp)
            #expect(given.allSatisfy { ($0.time - stamps[$0.frame]).length <= .microsecond })
            let isAfterGap = index > 0 && stamp - stamps[index - 1] > 2 * Self.frame
            #expect(given.last?.frame == (isAfterGap ? nil : index))
        }
    }

    @Test(arguments: [2, 3, 8, 16])
    func `those of a program that was held up are a frame apart`(count: Int) {
        var stamps = (0..<60).map { MediaTime.second + $0 * Self.frame }
        let next = 60 + count
        // All of them came, at the end.
        let arrival: MediaTime = .second + (next - 1) * Self.frame + 5 * .millisecond
        stamps += (0..<count).map { arrival + $0 * .microsecond }
        stamps += (next..<next + 30).map { MediaTime.second + $0 * Self.frame }
        let given = times(stamps)
        let taken = stamps.indices.map { MediaTime.second + $0 * Self.frame }
        let wrong = given.filter { ($0.time - taken[$0.index]).length > .millisecond }
        #expect(given.count == stamps.count && wrong.isEmpty, "\(wrong)")
    }

    @Test(arguments: [0.3, 0.6, 0.95])
    func `one that came late, the next with it at once, lies a frame before that`(late: Double) {
        var stamps = (0..<60).map { MediaTime.second + $0 * Self.frame }
        // What a program that is busy for less than two frames makes of two.
        stamps[40] += MediaTime(seconds: late * Self.frame.seconds)
        stamps[41] = max(stamps[41], stamps[40] + 40 * .microsecond)
        stamps[50] = stamps[51] - 20 * .microsecond
        let given = times(stamps)
        let wrong = given.filter { ($0.time - (.second + $0.index * Self.frame)).length > Self.frame / 8 }
        #expect(given.count == stamps.count && wrong.isEmpty, "\(wrong)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `none is lost, each has a time of its own, and none is later than its stamp but for that`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var stamps: [MediaTime] = [.second]
        for _ in 0..<2000 {
            let step =
                random.uniform() < 0.5
                ? random.uniform() * 0.001 : random.uniform() * (random.uniform() < 0.1 ? 1 : 0.07)
            stamps.append(stamps[stamps.count - 1] + MediaTime(seconds: step))
        }
        let given = times(stamps)
        #expect(given.map(\.index) == Array(0..<stamps.count))
        #expect(given[0].time <= stamps[0])
        for (before, frame) in zip(given, given.dropFirst()) {
            let least = before.time + ArrivalTimes<Int>.least
            #expect(frame.time >= least && frame.time <= max(least, stamps[frame.index]))
        }
    }

    @Test func `a camera that is slower in the dark is a frame behind at most`() {
        let stamps = (0..<60).map { MediaTime.second + $0 * 4 * Self.frame }
        let given = times(stamps, isFlushed: false)
        #expect(given.count >= stamps.count - 1)
        #expect(given.allSatisfy { ($0.time - stamps[$0.index]).length <= .microsecond })
    }
}
