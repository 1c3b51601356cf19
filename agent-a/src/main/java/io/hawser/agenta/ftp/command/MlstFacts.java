package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.HeldNames;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The facts of MLST and MLSD (RFC 3659 section 7.5) and the form of times (section 2.3). */
final class MlstFacts {
    static final String NAMES = "Type;Size;Modify;Perm;";
    /** The line in FEAT; a star marks a fact that is sent unless it is switched off, RFC 3659 section 7.8. */
    static final String FEATURE = "MLST Type*;Size*;Modify*;Perm*;";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss").withZone(ZoneOffset.UTC);

    private MlstFacts() {}

    /** The facts and the space before the name. In a directory files can be stored and directories made; a file can be replaced. */
    static String of(HeldNames.Entry entry) {
        String modify = entry.modifiedMillis() == 0 ? "" : "Modify=" + time(entry.modifiedMillis()) + ";";
        return entry.directory()
                ? "Type=dir;" + modify + "Perm=celm; "
                : "Type=file;Size=" + entry.sizeBytes() + ";" + modify + "Perm=w; ";
    }

    static String time(long epochMillis) {
        return TIME.format(Instant.ofEpochMilli(epochMillis));
    }
}
