import Foundation
import GStreamer
import Testing

@Suite("Key files") struct KeyFileTests {
    private func read(_ text: String) throws -> KeyFile {
        let folder = try ScratchFolder()
        let path = folder.path + "/a.conf"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return try KeyFile(path: path)
    }

    @Test("Groups and keys keep the order of the file, comments and empty lines are skipped") func order() throws {
        let file = try read(
            """
            # a comment
            [z]
            second = 2
            first=1

            #first=3
            [a]
            empty=
            """)
        #expect(file.groups.map(\.name) == ["z", "a"])
        #expect(file["z"]?.entries.map(\.key) == ["second", "first"])
        #expect(file["z"]?["first"] == "1")
        #expect(file["z"]?["second"] == "2")
        #expect(file["a"]?["empty"] == "")
        #expect(file["a"]?["nothing"] == nil)
        #expect(file["nothing"] == nil)
    }

    @Test("Escapes are GLib's") func escapes() throws {
        let file = try read(
            #"""
            [a]
            text=\sone\ttwo\nthree\\four # five
            equals=a=b=c
            """#)
        #expect(file["a"]?["text"] == " one\ttwo\nthree\\four # five")
        #expect(file["a"]?["equals"] == "a=b=c")
    }

    @Test("Lists are separated by semicolons, and a semicolon can be part of one") func lists() throws {
        let file = try read(
            #"""
            [a]
            list=one; two ;;three;
            escaped=a\;b;c
            single=x
            none=
            """#)
        #expect(file["a"]?.list("list") == ["one", "two", "three"])
        #expect(file["a"]?.list("escaped") == ["a;b", "c"])
        #expect(file["a"]?.list("single") == ["x"])
        #expect(file["a"]?.list("none") == [])
        #expect(file["a"]?.list("missing") == [])
        #expect(file["a"]?["list"] == "one; two ;;three;")
    }

    @Test("What is no ordinary file is refused, and does not hold up its reader") func noFile() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/pipe.gep"
        #expect(mkfifo(path, 0o600) == 0)
        for (name, words) in [
            (path, "it is not a file"), (folder.path, "it is not a file"), ("/dev/zero", "it is not a file"),
            (path + "x", "No such file or directory"),
        ] {
            let error = #expect(throws: GStreamerError.self) { try KeyFile(path: name) }
            #expect(error?.element == name && error?.message == words, "\(String(describing: error))")
        }
    }

    @Test("The last of two equal keys counts, and equal groups are one") func duplicates() throws {
        let file = try read("[a]\nk=1\n[b]\n[a]\nk=2\n")
        #expect(file.groups.map(\.name) == ["a", "b"])
        #expect(file["a"]?["k"] == "2")
    }

    @Test(
        "What is wrong is told with the file's name",
        arguments: ["key=1\n", "[a]\nnonsense\n", "[a]\nk=bad\\q\n", "[a\n"])
    func broken(text: String) {
        let error = #expect(throws: GStreamerError.self) { try read(text) }
        #expect(error?.element.hasSuffix("/a.conf") == true)
    }

    @Test("A missing file is told by its path") func missing() {
        let error = #expect(throws: GStreamerError.self) { try KeyFile(path: "/nowhere/a.conf") }
        #expect(error?.element == "/nowhere/a.conf")
        #expect(error?.message == "No such file or directory")
    }
}
