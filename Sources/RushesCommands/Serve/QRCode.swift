import CQREncode

/// A QR code, for a phone's camera to read a link from a terminal.
///
/// Made by libqrencode, and not by its command: the link holds a secret, and the arguments of a command can be read by
/// everyone on the machine.
struct QRCode {
    /// Rows of modules, true where dark.
    let modules: [[Bool]]

    /// Nil for what is too long for a QR code: about 2900 bytes.
    init?(_ text: String) {
        // The lowest level of error correction: a screen has no dirt on it, and the code stays small.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        guard let data = code.pointee.data else { return nil }
        let width = Int(code.pointee.width)
        // Bit 0 of each byte is the module (qrencode.h).
        modules = (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 == 1 } }
    }

    /// Lines for a terminal, two modules in each character, dark on light whatever the terminal's colours: readers are made
    /// for paper. Around it the quiet zone of four modules that ISO/IEC 18004 asks for.
    var lines: [String] {
        let width = modules.count
        func isDark(_ row: Int, _ column: Int) -> Bool {
            (4..<width + 4).contains(row) && (4..<width + 4).contains(column) && modules[row - 4][column - 4]
        }
        return stride(from: 0, to: width + 8, by: 2).map { row in
            let blocks = (0..<width + 8).map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[38;5;16;48;5;231m" + blocks.joined() + "\u{1B}[0m"
        }
    }
}
