package io.hawser.agenta.ftp.control;

import java.util.Locale;

/** Where clients come in. All doors lead to the same sessions; what a door offers before the login may differ. */
public enum FtpDoor {
    /** Control connections that begin in clear. */
    FTP,
    /** Control connections that begin with TLS (implicit TLS). */
    FTPS,
    /** The port of GridFTP, for clients and scripts that expect 2811: as {@link #FTP}. */
    GRIDFTP;

    /** Its name in addresses and messages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
