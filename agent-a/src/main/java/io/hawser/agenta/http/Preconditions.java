package io.hawser.agenta.http;

import io.hawser.ops.http.RequestHead;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Evaluates the conditions of a request for a file, in the order of RFC 9110 section 13.2.2. Pure. */
final class Preconditions {
    /** A time that is younger is a weak validator: the file may change within the same second, and clocks differ. */
    private static final long STRONG_AFTER_SECONDS = 60;

    private final RequestHead head;
    private final EntityTag tag;
    private final long modifiedSeconds;
    private final long nowSeconds;

    enum Verdict {
        PROCEED,
        NOT_MODIFIED,
        FAILED
    }

    /**
     * @param tag that of the file
     * @param modifiedMillis when the file was modified; 0 if that is not known
     */
    Preconditions(RequestHead head, EntityTag tag, long modifiedMillis, long nowMillis) {
        this.head = head;
        this.tag = tag;
        this.modifiedSeconds = TimeUnit.MILLISECONDS.toSeconds(modifiedMillis);
        this.nowSeconds = TimeUnit.MILLISECONDS.toSeconds(nowMillis);
    }

    /** For a method that reads. */
    Verdict forReading() {
        if (!isAsOnWriting()) {
            return Verdict.FAILED;
        }
        Optional<String> noneMatch = head.header("If-None-Match");
        boolean isKnown;
        if (noneMatch.isPresent()) {
            isKnown = isAny(noneMatch.get())
                    || EntityTag.parseList(noneMatch.get()).stream().anyMatch(tag::isWeakly);
        } else {
            OptionalLong since = date("If-Modified-Since");
            isKnown = since.isPresent() && modifiedSeconds > 0 && modifiedSeconds <= since.getAsLong();
        }
        return isKnown ? Verdict.NOT_MODIFIED : Verdict.PROCEED;
    }

    /** Whether {@code If-Match} and {@code If-Unmodified-Since} hold for the file. */
    boolean isAsOnWriting() {
        Optional<String> match = head.header("If-Match");
        if (match.isPresent()) {
            return isAny(match.get())
                    || EntityTag.parseList(match.get()).stream().anyMatch(tag::isStrongly);
        }
        OptionalLong since = date("If-Unmodified-Since");
        return since.isEmpty() || (modifiedSeconds > 0 && modifiedSeconds <= since.getAsLong());
    }

    /** Whether {@code If-None-Match} forbids to write over the file. */
    boolean mustNotMatch() {
        return head.header("If-None-Match")
                .filter(tags ->
                        isAny(tags) || EntityTag.parseList(tags).stream().anyMatch(tag::isWeakly))
                .isPresent();
    }

    /** Whether a range may be sent: {@code If-Range} is absent, or names this version. */
    boolean allowsRange() {
        Optional<String> condition = head.header("If-Range");
        if (condition.isEmpty()) {
            return true;
        }
        OptionalLong date = HttpDates.parse(condition.get());
        if (date.isPresent()) {
            return modifiedSeconds == date.getAsLong() && nowSeconds - modifiedSeconds >= STRONG_AFTER_SECONDS;
        }
        return EntityTag.parseList(condition.get()).stream().anyMatch(tag::isStrongly);
    }

    private static boolean isAny(String tags) {
        return tags.strip().equals("*");
    }

    private OptionalLong date(String name) {
        Optional<String> text = head.header(name);
        return text.isPresent() ? HttpDates.parse(text.get()) : OptionalLong.empty();
    }
}
