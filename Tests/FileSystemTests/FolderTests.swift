import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// What is reached by a folder's descriptor, listed in it, watched in it, and kept from others.
@Suite(.timeLimit(.minutes(10))) struct FolderTests {
    private let folder: TemporaryFolder
    private var path: FilePath { FilePath(folder.path) }

    init() throws { folder = try TemporaryFolder() }

    @Test func `names are listed byte for byte`() throws {
        let odd = try #require(FilePath.Component(platformString: [CChar(bitPattern: 0xFF), 0x41, 0]))
        for name in [odd, "plain", ".hidden"] { try AtomicFile.replace(path.appending(name), with: Data()) }
        #expect(try Set(FolderDescriptor.names(in: path)) == [odd, "plain", ".hidden"])
        let own = try FolderDescriptor(path)
        #expect(Set(own.names) == [odd, "plain", ".hidden"])
        own.removeFile(odd)
        // A second listing begins anew.
        #expect(Set(own.names) == ["plain", ".hidden"])
        #expect(throws: Errno.noSuchFileOrDirectory) { try FolderDescriptor.names(in: path.appending("none")) }
    }

    @Test func `links in it are neither opened nor followed`() throws {
        let own = try FolderDescriptor(path)
        try own.makeFolder("real")
        try AtomicFile.replace(path.appending("letter"), with: Data("mine".utf8))
        #expect(symlink(folder.file("real"), folder.file("link")) == 0)
        #expect(symlink(folder.file("letter"), folder.file("copy")) == 0)
        #expect(throws: Errno.notDirectory) { try own.folder("link") }
        #expect(throws: Errno.tooManySymbolicLinkLevels) { try own.file("copy", O_RDONLY) }
        #expect(own.status("copy").map { $0.st_mode & S_IFMT } == S_IFLNK)
        own.removeFile("copy")
        #expect(AtomicFile.text(path.appending("letter")) == "mine")
    }

    @Test func `a pipe is no file, and does not hold up who opens it`() throws {
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        let own = try FolderDescriptor(path)
        #expect(throws: Errno.invalidArgument) { try own.file("pipe", O_RDONLY) }
    }

    @Test func `what is written, moved in and removed is told by its name`() throws {
        let watch = try FolderWatch([path], [.written, .movedHere, .deleted])
        #expect(watch.names(within: .zero).isEmpty)
        try AtomicFile.replace(path.appending("take.mov"), with: Data("take".utf8))
        path.appending("take.mov").removeFile()
        // The draft is written, the name moved there, and then removed.
        var heard: [FilePath.Component] = []
        while heard.count < 3, case let names = watch.names(within: .seconds(60)), !names.isEmpty { heard += names }
        #expect(heard.count == 3 && AtomicFile.isDraft(heard[0].string) && heard[1...] == ["take.mov", "take.mov"])
    }

    @Test func `folders are added and taken away while others are watched, and each is told by its number`() throws {
        let watch = try FolderWatch([], .written)
        let names: [FilePath.Component] = ["a", "b"]
        for name in names { #expect(mkdir(folder.file("\(name)"), 0o700) == 0) }
        let numbers = try names.map { try watch.add(path.appending($0)) }
        #expect(try watch.add(path.appending("b")) == numbers[1] && numbers[0] != numbers[1])
        #expect(throws: Errno.noSuchFileOrDirectory) { try watch.add(path.appending("none")) }
        func write(_ name: String) { close(open(folder.file(name), O_WRONLY | O_CREAT, 0o600)) }
        // By whatever name a folder is called.
        #expect(rename(folder.file("b"), folder.file("c")) == 0)
        for name in ["a/1", "c/2"] { write(name) }
        let heard = watch.changes(within: .seconds(60))
        #expect(heard.map(\.folder) == numbers && heard.map(\.name) == ["1", "2"])
        watch.remove(numbers[0])
        for name in ["a/3", "c/4"] { write(name) }
        #expect(watch.names(within: .seconds(60)) == ["4"])
    }

    @Test func `what has happened can be forgotten`() throws {
        let watch = try FolderWatch([path], .written)
        for number in 0..<50 { try AtomicFile.replace(path.appending("\(number)"), with: Data()) }
        watch.drain()
        #expect(watch.names(within: .zero).isEmpty)
        #expect(throws: Errno.noSuchFileOrDirectory) { try FolderWatch([path, path.appending("none")], .written) }
    }

    @Test func `a private folder is for its user alone, and those above it that were there stay as they were`() throws {
        func mode(_ name: String) throws -> mode_t { try FolderDescriptor(path.appending(name)).mode & 0o777 }
        #expect(mkdir(folder.file("top"), 0o755) == 0)
        try PrivateFolder.create(path.appending("top/a/b"))
        #expect(try [mode("top"), mode("top/a"), mode("top/a/b")] == [0o755, 0o700, 0o700])
        #expect(mkdir(folder.file("wide"), 0o755) == 0)
        try PrivateFolder.create(path.appending("wide"))
        #expect(try mode("wide") == 0o700)
    }
}
