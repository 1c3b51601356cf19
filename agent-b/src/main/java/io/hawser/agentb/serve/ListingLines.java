package io.hawser.agentb.serve;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.net.ftp.FTPClientConfig;
import org.apache.commons.net.ftp.FTPFile;
import org.apache.commons.net.ftp.FTPFileEntryParser;
import org.apache.commons.net.ftp.parser.DefaultFTPFileEntryParserFactory;
import org.apache.commons.net.ftp.parser.MLSxEntryParser;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a far server's listings, as commons-net reads them. Pure.
 *
 * <p>A parser that meets a number or a date that cannot be throws whatever it likes; such a line counts as one that cannot be read, or
 * one odd name would hide a whole directory.
 */
final class ListingLines {
    private ListingLines() {}

    /** The entry of a line of MLSD or MLST (RFC 3659 §7); null if it is none. */
    static @Nullable FTPFile facts(String line) {
        try {
            return MLSxEntryParser.parseEntry(line);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /**
     * The entries of LIST, without the lines that are none. Times are taken for UTC, which is what servers show unless they were told
     * otherwise.
     *
     * @param system the reply to SYST; empty if there is none
     */
    static List<FTPFile> list(List<String> lines, String system) {
        FTPClientConfig config =
                new FTPClientConfig(system.contains("Windows") ? FTPClientConfig.SYST_NT : FTPClientConfig.SYST_UNIX);
        config.setServerTimeZoneId("UTC");
        FTPFileEntryParser parser = new DefaultFTPFileEntryParserFactory().createFileEntryParser(config);
        List<FTPFile> files = new ArrayList<>();
        for (String line : parser.preParse(new ArrayList<>(lines))) {
            FTPFile file = listed(parser, line);
            if (file != null) {
                files.add(file);
            }
        }
        return files;
    }

    private static @Nullable FTPFile listed(FTPFileEntryParser parser, String line) {
        try {
            return parser.parseFTPEntry(line);
        } catch (RuntimeException e) {
            return null;
        }
    }
}
