import Imaging
import Testing

@Suite struct LayoutDrawingTests {
    @Test func anInsetIsDrawnWhereItLies() throws {
        #expect(
            LayoutDrawing.drawing(of: try Layout("bottom-right,size=30%,margin=5%"), cameras: 2).joined(separator: "\n")
                == """
                ┌──────────────────────────────┐
                │                              │
                │                              │
                │                              │
                │              1               │
                │                     ┌───────┐│
                │                     │   2   ││
                │                     └───────┘│
                └──────────────────────────────┘
                """)
    }

    @Test func allKindsAreShown() throws {
        let help = LayoutDrawing.help()
        for word in ["side-by-side", "stacked", "grid", "main-only", "inset-only", "x=", "fill"] {
            #expect(help.contains(word))
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func whatCannotBeIsNotDrawn() throws {
        #expect(LayoutDrawing.drawing(of: Layout(.insetOnly), cameras: 1).isEmpty)
    }
}
