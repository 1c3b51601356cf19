package io.hawser.core.access;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one principal at the broker: the subject of a certificate or, without one, an address. They apply to each principal
 * separately; a {@link Quota} is shared by all that its line covers.
 *
 * @param most the limit of each kind that is set; the others have their default
 *
 * <p>Thread: immutable.
 */
public record PrincipalLimits(Map<Kind, Integer> most) {
    public enum Kind {
        /** Sessions, also those that are being opened. */
        SESSIONS(256),
        /** Subscriptions, also while no consumer is connected. */
        SUBSCRIPTIONS(1000),
        /** Open transfers: announced and not committed. */
        OPEN(4096),
        /** Questions about files that are not answered. */
        CALLS(4096),
        /** Control messages a second, over all its sessions. */
        MESSAGES(50_000),
        /** Log records a second that it causes. */
        RECORDS(50_000),
        /** Messages and packets a second that are refused or change nothing. Each may cost a look-up and an answer. */
        REFUSALS(1_000),
        /** Sessions that it opens a second; after a pause many times as many at once. */
        CONNECTS(20),
        /** The part of the broker's receive buffers that it may hold, in percent. */
        BUFFERS(50);

        private final int byDefault;

        Kind(int byDefault) {
            this.byDefault = byDefault;
        }

        /** The name in an ACL file. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The limits if no line sets any. */
    public static final PrincipalLimits DEFAULT = new PrincipalLimits(Map.of());

    private static final String PERCENT = "%";
    private static final int MAX = 1_000_000_000;

    public PrincipalLimits {
        most = Map.copyOf(most);
    }

    /** Whether that word of a line is a limit; otherwise it is a quota. */
    static boolean isOne(String word) {
        int equals = word.indexOf('=');
        return equals > 0 && kind(word.substring(0, equals)) != null;
    }

    private static @Nullable Kind kind(String word) {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /**
     * @param limits such as {@code sessions=8,messages=1000,buffers=25%}
     * @throws IllegalArgumentException with a sentence for the user
     */
    static PrincipalLimits of(String limits) {
        Map<Kind, Integer> most = new EnumMap<>(Kind.class);
        for (String limit : limits.split(",", -1)) {
            int equals = limit.indexOf('=');
            Kind kind = equals < 0 ? null : kind(limit.substring(0, equals));
            if (kind == null || most.containsKey(kind)) {
                throw new IllegalArgumentException(
                        "'" + limits + "' is no list of limits; write some of sessions=COUNT,"
                                + " subscriptions=COUNT, open=COUNT, calls=COUNT, messages=COUNT, records=COUNT, refusals=COUNT,"
                                + " connects=COUNT (the last four a second) and buffers=PERCENT%, each once, with commas between them; bytes= and transfers= have lines of their own");
            }
            most.put(kind, value(kind, limit.substring(equals + 1)));
        }
        return new PrincipalLimits(most);
    }

    private static int value(Kind kind, String text) {
        boolean percent = kind == Kind.BUFFERS;
        String digits = percent && text.endsWith(PERCENT) ? text.substring(0, text.length() - PERCENT.length()) : text;
        int value = digits.matches("[0-9]{1,9}") ? Integer.parseInt(digits) : 0;
        if (value < 1 || value > (percent ? 100 : MAX)) {
            throw new IllegalArgumentException(kind.word() + "=" + text + " is not between 1 and "
                    + (percent ? "100%" : String.format(Locale.ROOT, "%,d", MAX)));
        }
        return value;
    }

    public int most(Kind kind) {
        return most.getOrDefault(kind, kind.byDefault);
    }

    /** These limits, overridden by those that {@code narrower} sets. */
    PrincipalLimits with(PrincipalLimits narrower) {
        Map<Kind, Integer> both = new EnumMap<>(Kind.class);
        both.putAll(most);
        both.putAll(narrower.most);
        return new PrincipalLimits(both);
    }
}
