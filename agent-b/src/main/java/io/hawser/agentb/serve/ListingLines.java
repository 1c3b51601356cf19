package io.hawser.agentb.serve;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.net.ftp.FTPClientConfig;
import org.apache.commons.net.ftp.FTPFile;
import org.apache.commons.net.ftp.FTPFileEntryParser;
import org.apache.commons.net.ftp.parser.DefaultFTPFileEntryParserFactory;
import org.apache.commons.net.ftp.parser.MLSxEntryParser;
import org.jspecify.annotations.Nullable;

/**
 * Parses lines of a far server's listings with commons-net. Pure.
 *
 * <p>commons-net's parsers throw arbitrary exceptions for impossible numbers and dates; such a line counts as unparsable.
 */
final class ListingLines {
    private static final Pattern FRACTION = Pattern.compile("(?i)^([^ ]*;)?(modify=[0-9]{14}\\.)([0-9]+)(?=;)");
    private static final int MILLIS_DIGITS = 3;
    /** Lines of LIST that are no entries: the total in any language, the directory itself, its parent. */
    private static final Pattern NO_ENTRY = Pattern.compile("\\S+ +[0-9]+|.*\\s\\.\\.?|\\s*");

    /** commons-net's pattern takes stack for each word, and time that grows with the square of their number. */
    private static final int MAX_WORDS = 64;

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    /** The pattern never matches these, but looks for them again for each pair of words. */
    private static final Pattern LINE_END = Pattern.compile("[\r\\x85\\u2028\\u2029]");

    /** A line of MLSD about the directory itself or its parent, whose name may be a path. */
    private static final Pattern LISTED_DIRECTORY = Pattern.compile("(?is)([^ ]*;)?type=[cp]dir;.*");

    private ListingLines() {}

    /** Whether a line of MLSD is no entry, but about the directory itself or its parent. */
    static boolean isOfListedDirectory(String line) {
        return LISTED_DIRECTORY.matcher(line).matches();
    }

    /** The entry of a line of MLSD or MLST (RFC 3659 §7); null if it is none. */
    static @Nullable FTPFile facts(String line) {
        try {
            return MLSxEntryParser.parseEntry(inMillis(line));
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** commons-net takes the digits of a fraction for milliseconds, and refuses more than three. */
    private static String inMillis(String line) {
        return FRACTION.matcher(line).replaceFirst(found -> {
            String before = found.group(1) == null ? "" : found.group(1);
            return Matcher.quoteReplacement(
                    before + found.group(2) + (found.group(3) + "000").substring(0, MILLIS_DIGITS));
        });
    }

    /** Whether a line of LIST is an entry. */
    static boolean isEntry(String line) {
        return !NO_ENTRY.matcher(line).matches();
    }

    /**
     * A parser for LIST. Takes times for UTC, as servers do by default.
     *
     * @param system the reply to SYST; empty if there is none
     */
    static FTPFileEntryParser parser(String system) {
        FTPClientConfig config =
                new FTPClientConfig(system.contains("Windows") ? FTPClientConfig.SYST_NT : FTPClientConfig.SYST_UNIX);
        config.setServerTimeZoneId("UTC");
        return new DefaultFTPFileEntryParserFactory().createFileEntryParser(config);
    }

    /** The entry of a line of LIST; null if it is none, or it would take commons-net's pattern too long. */
    static @Nullable FTPFile listed(FTPFileEntryParser parser, String line) {
        if (BLANKS.split(line, MAX_WORDS + 1).length > MAX_WORDS
                || LINE_END.matcher(line).find()) {
            return null;
        }
        try {
            return parser.parseFTPEntry(line);
        } catch (RuntimeException e) {
            return null;
        }
    }
}
