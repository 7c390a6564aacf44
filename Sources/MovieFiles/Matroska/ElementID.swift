/// The elements of a Matroska file that are known here, by the names of RFC 9559 (those of EBML itself: RFC 8794).
enum ElementID: UInt32, Sendable {
    case ebml = 0x1A45_DFA3
    case ebmlVersion = 0x4286
    case ebmlReadVersion = 0x42F7
    case ebmlMaxIDLength = 0x42F2
    case ebmlMaxSizeLength = 0x42F3
    case docType = 0x4282
    case docTypeVersion = 0x4287
    case docTypeReadVersion = 0x4285
    case segment = 0x1853_8067

    case seekHead = 0x114D_9B74
    case seek = 0x4DBB
    case seekID = 0x53AB
    case seekPosition = 0x53AC

    case info = 0x1549_A966
    case timestampScale = 0x2AD7B1
    case duration = 0x4489
    case dateUTC = 0x4461
    case title = 0x7BA9
    case muxingApp = 0x4D80
    case writingApp = 0x5741

    case cluster = 0x1F43_B675
    case timestamp = 0xE7
    case simpleBlock = 0xA3
    case blockGroup = 0xA0
    case block = 0xA1
    case blockDuration = 0x9B
    case discardPadding = 0x75A2

    case tracks = 0x1654_AE6B
    case trackEntry = 0xAE
    case trackNumber = 0xD7
    case trackUID = 0x73C5
    case trackType = 0x83
    case flagDefault = 0x88
    case flagLacing = 0x9C
    case defaultDuration = 0x23_E383
    case name = 0x536E
    case language = 0x22_B59C
    case languageBCP47 = 0x22_B59D
    case codecID = 0x86
    case codecPrivate = 0x63A2
    case codecDelay = 0x56AA
    case seekPreRoll = 0x56BB
    case blockAdditionMapping = 0x41E4
    case blockAddIDName = 0x41A4
    case blockAddIDType = 0x41E7
    case blockAddIDExtraData = 0x41ED

    case video = 0xE0
    case flagInterlaced = 0x9A
    case fieldOrder = 0x9D
    case pixelWidth = 0xB0
    case pixelHeight = 0xBA
    case displayWidth = 0x54B0
    case displayHeight = 0x54BA
    case colour = 0x55B0
    case matrixCoefficients = 0x55B1
    case range = 0x55B9
    case transferCharacteristics = 0x55BA
    case primaries = 0x55BB
    case maxCLL = 0x55BC
    case maxFALL = 0x55BD
    case masteringMetadata = 0x55D0
    case primaryRChromaticityX = 0x55D1
    case primaryRChromaticityY = 0x55D2
    case primaryGChromaticityX = 0x55D3
    case primaryGChromaticityY = 0x55D4
    case primaryBChromaticityX = 0x55D5
    case primaryBChromaticityY = 0x55D6
    case whitePointChromaticityX = 0x55D7
    case whitePointChromaticityY = 0x55D8
    case luminanceMax = 0x55D9
    case luminanceMin = 0x55DA

    case audio = 0xE1
    case samplingFrequency = 0xB5
    case outputSamplingFrequency = 0x78B5
    case channels = 0x9F
    case bitDepth = 0x6264

    case cues = 0x1C53_BB6B
    case cuePoint = 0xBB
    case cueTime = 0xB3
    case cueTrackPositions = 0xB7
    case cueTrack = 0xF7
    case cueClusterPosition = 0xF1
    case cueRelativePosition = 0xF0

    case chapters = 0x1043_A770
    case editionEntry = 0x45B9
    case chapterAtom = 0xB6
    case chapterUID = 0x73C4
    case chapterTimeStart = 0x91
    case chapterTimeEnd = 0x92
    case chapterDisplay = 0x80
    case chapString = 0x85
    case chapLanguage = 0x437C

    case tags = 0x1254_C367
    case tag = 0x7373
    case targets = 0x63C0
    case targetTypeValue = 0x68CA
    case simpleTag = 0x67C8
    case tagName = 0x45A3
    case tagLanguage = 0x447A
    case tagString = 0x4487
}
