package io.hawser.agentb.deliver.ftp;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.net.ftp.FTPReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Modification times at a far server: MDTM (RFC 3659 §3) to ask, MFMT (draft-somers-ftp-mfxx) or MDTM with a time to set.
 *
 * <p>Thread: the session's.
 */
public final class FarTimeCommands {
    private static final Logger LOG = LoggerFactory.getLogger(FarTimeCommands.class);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss").withZone(ZoneOffset.UTC);
    private static final Pattern MODIFIED = Pattern.compile("213[ -]+([0-9.]{14,99})\\s*");

    private FarTimeCommands() {}

    public static FarTime modified(FarFtpClient client, String path) throws IOException {
        int code = client.sendCommand("MDTM", path);
        Matcher time = MODIFIED.matcher(client.getReplyString());
        return code == FTPReply.FILE_STATUS && time.matches() ? FarTime.parse(time.group(1)) : FarTime.UNKNOWN;
    }

    /** Sets a file's time if the server can. */
    static void setModified(FarFtpClient client, String path, long epochMillis) throws IOException {
        try {
            requireModified(client, path, epochMillis);
        } catch (FarRefusedException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("the far server does not set modification times");
        }
    }

    /** Sets a time, by MFMT or else by MDTM with a time; throws if the server refuses. */
    static void requireModified(FarFtpClient client, String path, long epochMillis) throws IOException {
        String verb = client.hasFeature("MFMT") ? "MFMT" : "MDTM";
        client.command(verb, TIME.format(Instant.ofEpochMilli(epochMillis)) + " " + path);
    }
}
