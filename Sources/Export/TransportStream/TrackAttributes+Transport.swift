import MovieFiles

/// What the tables of a transport stream say of a stream.
extension TrackAttributes {
    /// - Parameter descriptors: of a stream in a program's map.
    init(transport descriptors: [UInt8]) {
        self.init()
        var place = 0
        while place + 2 <= descriptors.count {
            let end = min(descriptors.count, place + 2 + Int(descriptors[place + 1]))
            let content = Array(descriptors[(place + 2)..<end])
            switch descriptors[place] {
            // Languages of three letters, with the kind of audio behind each (ISO/IEC 13818-1, 2.6.19).
            case 0x0A where content.count >= 4: roles.insert(TrackRoles(audioType: content[3]))
            // The supplementary audio descriptor: the classification follows a bit, and the language where a bit says so (ETSI EN 300 468,
            // 6.4.11). The other one then has a code that no receiver knows, or another country's.
            case 0x7F where content.count >= 2 && content[0] == 0x06:
                roles.insert(TrackRoles(classification: content[1] >> 2 & 0x1F))
                if content[1] & 1 == 1, content.count >= 5 {
                    language = TrackLanguage(String(decoding: content[2..<5], as: UTF8.self))
                }
            // Subtitles: a language, their kind, and two pages each (6.2.42).
            case 0x59 where content.count >= 4 && (0x20...0x25).contains(content[3]):
                roles.insert(.hearingImpaired)
            default: break
            }
            place = end
        }
    }
}

extension TrackRoles {
    fileprivate init(audioType: UInt8) {
        switch audioType {
        case 1: self = .cleanEffects
        case 2: self = .hearingImpaired
        case 3: self = .visuallyImpaired
        default: self = []
        }
    }

    fileprivate init(classification: UInt8) {
        switch classification {
        case 1: self = .visuallyImpaired
        case 2: self = .hearingImpaired
        default: self = []
        }
    }
}
