import CGIO

/// Opens things as a double click does.
package enum DesktopLaunch {
    /// Hands a link to the program that the person chose for its kind; nothing happens where there is none.
    package static func open(_ url: String) {
        g_app_info_launch_default_for_uri(url, nil, nil)
    }
}
