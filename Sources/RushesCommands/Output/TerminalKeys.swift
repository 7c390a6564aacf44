import Dispatch
import Foundation
import Threads

/// Keys that a person presses at the terminal while something runs.
///
/// The terminal hands them over at once and does not show them, until ``end()`` or the process' exit; Ctrl-C stays a signal.
/// Only where standard input and standard error are this terminal's and the process is in its foreground: whoever reads it
/// in the background would be stopped, and a recording with it.
final class TerminalKeys {
    private let source: any DispatchSourceRead
    private let suspension: any DispatchSourceSignal

    private static let input: Int32 = 0
    /// As the terminal was before.
    private static let before = Locked<termios?>(nil)
    private static let atExit: Void = { _ = atexit { TerminalKeys.restore() } }()

    /// - Parameter press: called for each key, as the byte that the terminal sends for it.
    /// - Returns: `nil` where nobody sits at a terminal.
    init?(_ press: @escaping @Sendable (UInt8) -> Void) {
        guard isatty(Self.input) == 1, isatty(2) == 1, Self.isInForeground else { return nil }
        var settings = termios()
        guard tcgetattr(Self.input, &settings) == 0 else { return nil }
        // Else a read in the background stops the process; so it fails.
        signal(SIGTTIN, SIG_IGN)
        Self.before.withLock { $0 = settings }
        _ = Self.atExit
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(Self.input, TCSANOW, &settings) == 0 else { return nil }
        let queue = DispatchQueue(label: "rushes-keys")
        signal(SIGTSTP, SIG_IGN)
        suspension = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: queue)
        suspension.setEventHandler { [settings] in Self.suspend(settings, on: queue) }
        suspension.activate()
        source = DispatchSource.makeReadSource(fileDescriptor: Self.input, queue: queue)
        source.setEventHandler { [source] in
            var keys = [UInt8](repeating: 0, count: 64)
            let count = Self.isInForeground ? read(Self.input, &keys, keys.count) : -1
            switch count {
            case 1...: keys.prefix(count).forEach(press)
            // The terminal is gone.
            case 0: source.cancel()
            // What is typed is for whoever is in the foreground.
            default: usleep(100_000)
            }
        }
        source.activate()
    }

    deinit { end() }

    /// Gives the terminal back as it was.
    func end() {
        source.cancel()
        suspension.cancel()
        signal(SIGTSTP, SIG_DFL)
        Self.restore()
    }

    /// Ctrl-Z: the terminal is the shell's as it was, until this process is in its foreground again; not every shell sees to that.
    private static func suspend(_ settings: termios, on queue: DispatchQueue) {
        before.withLock { before in
            guard var before, isInForeground else { return }
            tcsetattr(input, TCSANOW, &before)
        }
        signal(SIGTSTP, SIG_DFL)
        // The process stands still here until SIGCONT.
        kill(getpid(), SIGTSTP)
        signal(SIGTSTP, SIG_IGN)
        takeAgain(settings, on: queue)
    }

    private static func takeAgain(_ settings: termios, on queue: DispatchQueue) {
        before.withLock { before in
            guard before != nil else { return }
            guard isInForeground else {
                return queue.asyncAfter(deadline: .now() + .seconds(1)) { takeAgain(settings, on: queue) }
            }
            var settings = settings
            tcsetattr(input, TCSANOW, &settings)
        }
    }

    private static var isInForeground: Bool { tcgetpgrp(input) == getpgrp() }

    private static func restore() {
        before.withLock { settings in
            guard var before = settings, isInForeground else { return }
            settings = nil
            tcsetattr(input, TCSANOW, &before)
        }
    }
}
