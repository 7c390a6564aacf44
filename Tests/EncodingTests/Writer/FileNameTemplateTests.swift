import Errors
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Encoding

@Suite struct FileNameTemplateTests {
    /// 2026-03-04 05:06:07 in Paris.
    private static let date = Date(timeIntervalSince1970: 1_772_597_167)

    @Test(arguments: [
        ("part-%02d.mov", "part-07.mov"), ("part-%d.mov", "part-7.mov"), ("%4d %05d.mov", "0007 00007.mov"),
        ("%F %H.%M.%S.mov", "2026-03-04 05.06.07.mov"), ("%d.%m.%Y.mov", "04.03.2026.mov"),
        ("%Y%m%d-%03d.mov", "20260304-007.mov"), ("%y-%j.mov", "26-063.mov"), ("100%% %F.mov", "100% 2026-03-04.mov"),
        ("100%%.mov", "100%.mov"), ("%12d.mov", "000000007.mov"),
    ])
    func `places are filled`(template: String, name: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Paris"))
        let template = try #require(try FileNameTemplate(template))
        #expect(template.name(number: 7, at: Self.date, timeZone: zone) == name)
    }

    @Test(arguments: ["take.mov", "100%.mov", "50% off.mov", "%", "%5", "é % –.mov"])
    func `other names are names`(name: String) throws { #expect(try FileNameTemplate(name) == nil) }

    @Test(arguments: ["%q.mov", "%02F.mov", "%s.mov", "%123d.mov", "%é.mov"])
    func `letters that mean nothing are named`(name: String) throws {
        let error = try #require(throws: RushesError.self) { try FileNameTemplate(name) }
        #expect("\(error)".contains("in the name \(name) means nothing; %02d is the file's number"))
    }

    @Test func `movies that belong together keep a name that is no text`() throws {
        let folder = try TemporaryFolder()
        let own = Array("caf".utf8) + [0xE9]
        let movie = MovieDestination(FilePath(folder.path).appending(fileBytes: own + Array(".tar.mov".utf8)))
        #expect(movie.beside("face").path.lastComponent?.bytes == own + Array(".tar – face.mov".utf8))
        #expect(movie.part(2).path.lastComponent?.bytes == own + Array(".tar-002.mov".utf8))
        let long = [UInt8](repeating: 0xE9, count: 251)
        let name = MovieDestination(FilePath(folder.path).appending(fileBytes: long + Array(".mov".utf8))).part(2).path
            .lastComponent
        #expect(name?.bytes == long.prefix(247) + Array("-002.mov".utf8))
    }

    @Test func `numbers go on where they are free, and dates that are taken get a number`() throws {
        let folder = try TemporaryFolder()
        for name in ["part-01.mov", "part-03.mov"] { try Data().write(to: URL(filePath: folder.file(name))) }
        let numbered = try MovieDestination(
            naming: FilePath(folder.file("part-%02d.mov")), at: Self.date, replacesExisting: false)
        #expect(numbered.path.lastComponent == "part-02.mov" && numbered.number == 2)
        #expect(numbered.part(3, at: Self.date).path.lastComponent == "part-03.mov")
        let dated = try MovieDestination(
            naming: FilePath(folder.file("%Y.mov")), at: Self.date, replacesExisting: false)
        #expect(dated.path.lastComponent == "2026.mov" && dated.number == 1)
        #expect(dated.part(2, at: Self.date).path.lastComponent == "2026-002.mov")
        #expect(dated.part(3, at: Self.date + 400 * 86400).path.lastComponent == "2027.mov")
        let replaced = try MovieDestination(
            naming: FilePath(folder.file("part-%02d.mov")), at: Self.date, replacesExisting: true)
        #expect(replaced.path.lastComponent == "part-01.mov")
    }
}
