package io.hawser.agenta.ftp.control;

import java.util.Locale;

/** The ports that an FTP server may listen on. All lead to the same sessions; what is offered before the login may differ. */
public enum ListenerKind {
    /** Control connections that begin in clear. */
    FTP,
    /** Control connections that begin with TLS (implicit TLS). */
    FTPS,
    /** GridFTP, for clients and scripts that expect 2811; without GSI it is as {@link #FTP}. */
    GRIDFTP;

    /** Its name in addresses and messages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
