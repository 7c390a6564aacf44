/// Elements of Matroska (RFC 9559 section 5.1, named as there) and of EBML below it (RFC 8794 section 11): each with its
/// identifier, whose highest bits tell how many bytes it has.
enum ElementID: UInt32 {
    case ebml = 0x1A45_DFA3
    case docType = 0x4282
    case void = 0xEC
    case crc32 = 0xBF

    case segment = 0x1853_8067
    case seekHead = 0x114D_9B74
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
    case referenceBlock = 0xFB
    case discardPadding = 0x75A2
    case encryptedBlock = 0xAF

    case tracks = 0x1654_AE6B
    case trackEntry = 0xAE
    case trackNumber = 0xD7
    case trackUID = 0x73C5
    case trackType = 0x83
    case flagEnabled = 0xB9
    case flagDefault = 0x88
    case flagForced = 0x55AA
    case defaultDuration = 0x23E383
    case trackTimestampScale = 0x23314F
    case name = 0x536E
    case language = 0x22B59C
    case languageBCP47 = 0x22B59D
    case codecID = 0x86
    case codecPrivate = 0x63A2
    case codecDelay = 0x56AA
    case seekPreRoll = 0x56BB
    case trackOperation = 0xE2
    case contentEncodings = 0x6D80

    case video = 0xE0
    case pixelWidth = 0xB0
    case pixelHeight = 0xBA
    case displayWidth = 0x54B0
    case displayHeight = 0x54BA
    case displayUnit = 0x54B2
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
    case projection = 0x7670
    case projectionType = 0x7671
    case projectionPoseRoll = 0x7675

    case audio = 0xE1
    case samplingFrequency = 0xB5
    case channels = 0x9F
    case bitDepth = 0x6264

    case cues = 0x1C53_BB6B
    case attachments = 0x1941_A469

    case chapters = 0x1043_A770
    case editionEntry = 0x45B9
    case editionFlagHidden = 0x45BD
    case editionFlagDefault = 0x45DB
    case editionFlagOrdered = 0x45DD
    case chapterAtom = 0xB6
    case chapterTimeStart = 0x91
    case chapterFlagHidden = 0x98
    case chapterDisplay = 0x80
    case chapString = 0x85

    case tags = 0x1254_C367
    case tag = 0x7373
    case targets = 0x63C0
    case tagTrackUID = 0x63C5
    case tagEditionUID = 0x63C9
    case tagChapterUID = 0x63C4
    case tagAttachmentUID = 0x63C6
    case simpleTag = 0x67C8
    case tagName = 0x45A3
    case tagString = 0x4487
}
