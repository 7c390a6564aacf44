import GStreamer

extension CaptureError {
    /// What GStreamer said when a source was opened, as one sentence with the cure.
    init(opening name: String, _ error: GStreamerError) {
        let (code, words): (Code, String) =
            if error.isBusy {
                (.deviceBusy, "\(name) is in use by another program; close that, or choose another device.")
            } else if error.isNotFound {
                (.deviceNotFound, "\(name) is not there any more; 'rushes devices' lists what is.")
            } else if error.isNotAuthorized {
                (.deviceForbidden, "\(name) may not be opened by this user; ask for access to it.")
            } else {
                (.deviceFailed, "\(name) cannot be opened: \(error.message)")
            }
        self.init(code, words, underlying: error)
    }
}
