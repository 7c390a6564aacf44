import Foundation
import SystemPackage

@testable import MovieFiles

/// A movie with another index, which has to be its last box, or one in fragments.
enum EditedIndex {
    /// - Parameter change: of the `moov` box.
    static func of(_ url: URL, _ change: (inout Box) throws -> Void) throws -> URL {
        let bytes = [UInt8](try Data(contentsOf: url))
        let entry = try ReadableFile.open(FilePath(url.path)) { (file) throws(MovieFileError) in
            var boxes = TopLevelBoxes(file)
            while let entry = try boxes.next() {
                if entry.type == "moov" { return entry }
            }
            throw boxes.missingIndex
        }
        let place = Int(entry.offset)..<Int(entry.end)
        var moov = try Box(Array(bytes[place]), at: entry.offset)
        try change(&moov)
        let made = Scratch.directory.unique(url.pathExtension)
        try Data(bytes[..<place.lowerBound] + moov.serialized() + bytes[place.upperBound...]).write(to: made)
        return made
    }

    /// The same of the description of its frames.
    static func ofFrames(_ url: URL, _ change: (inout SampleEntry) throws -> Void) throws -> URL {
        try of(url) { moov in
            for index in (moov.children ?? []).indices where moov.children?[index].type == "trak" {
                guard var trak = moov.children?[index], try trak["mdia"]?["hdlr"]?.handlerType() == "vide" else {
                    continue
                }
                let stsd = try trak.required("mdia").required("minf").required("stbl").required("stsd")
                var entries = try SampleEntry.entries(of: stsd, handler: "vide")
                for index in entries.indices { try change(&entries[index]) }
                let payload = try SampleEntry.descriptionBox(entries).payload
                try trak.edit(["mdia", "minf", "stbl", "stsd"]) { (stsd: inout Box) in stsd.payload = payload }
                moov.children?[index] = trak
            }
        }
    }
}
