package io.hawser.agentb.deliver.ftp;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A modification time as a far server gave it. RFC 3659 section 2.3 lets the server decide in each reply whether it gives a fraction of the second.
 * Without one, the server may not know it, or may have left out a fraction of zero.
 *
 * @param millis since the epoch; 0 if unknown
 * @param fine whether it came with a fraction, even of zeros
 * @param known whether the server gave a time
 */
public record FarTime(long millis, boolean fine, boolean known) {
    /** The server gave no time. */
    public static final FarTime UNKNOWN = new FarTime(0, false, false);

    private static final long MILLIS = 1_000;
    private static final int MILLIS_DIGITS = 3;
    private static final Pattern TEXT = Pattern.compile("([0-9]{14})(?:\\.([0-9]+))?");
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");

    /** A time that the server gave. */
    public FarTime(long millis, boolean fine) {
        this(millis, fine, true);
    }

    /** The time-val of RFC 3659 section 2.3, in UTC: fourteen digits, and perhaps a fraction of any length; {@link #UNKNOWN} for other text. */
    public static FarTime parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return UNKNOWN;
        }
        try {
            long seconds = LocalDateTime.parse(parts.group(1), SECONDS).toEpochSecond(ZoneOffset.UTC);
            String fraction = parts.group(2);
            int millis = fraction == null ? 0 : Integer.parseInt((fraction + "000").substring(0, MILLIS_DIGITS));
            return new FarTime(seconds * MILLIS + millis, fraction != null);
        } catch (DateTimeParseException e) {
            return UNKNOWN;
        }
    }

    /** Whether both may be the time of one state of a file: to the millisecond where both came with a fraction, otherwise to the second. */
    boolean maySame(FarTime other) {
        return (fine && other.fine)
                ? millis == other.millis
                : Math.floorDiv(millis, MILLIS) == Math.floorDiv(other.millis, MILLIS);
    }
}
