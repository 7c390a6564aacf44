import MovieFiles

/// What the tables of a transport stream say that a stream is for.
extension TrackRoles {
    /// - Parameter descriptors: of a stream in a program's map.
    init(transport descriptors: [UInt8]) {
        self = []
        var place = 0
        while place + 2 <= descriptors.count {
            let end = min(descriptors.count, place + 2 + Int(descriptors[place + 1]))
            let content = descriptors[(place + 2)..<end]
            switch descriptors[place] {
            // Languages of three letters, with the kind of audio behind each (ISO/IEC 13818-1, 2.6.19).
            case 0x0A where content.count >= 4: insert(Self(audioType: content[content.startIndex + 3]))
            // The supplementary audio descriptor: the classification follows a bit (ETSI EN 300 468, 6.4.11).
            case 0x7F where content.count >= 2 && content.first == 0x06:
                insert(Self(classification: content[content.startIndex + 1] >> 2 & 0x1F))
            default: break
            }
            place = end
        }
    }

    private init(audioType: UInt8) {
        switch audioType {
        case 1: self = .cleanEffects
        case 2: self = .hearingImpaired
        case 3: self = .visuallyImpaired
        default: self = []
        }
    }

    private init(classification: UInt8) {
        switch classification {
        case 1: self = .visuallyImpaired
        case 2: self = .hearingImpaired
        default: self = []
        }
    }
}
