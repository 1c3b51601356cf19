package io.hawser.core.model;

import java.nio.charset.StandardCharsets;

/**
 * The owner of a subscription, and since when it owns it. The owner is the subject of the certificate that its consumer showed, so a
 * renewed certificate and a new data directory keep it. A consumer without a certificate owns it by its node id, which it only
 * claims to have.
 *
 * <p>In a group each member has a subject of its own, which is in the {@link Roster}.
 *
 * @param subject of the consumer's certificate (RFC 2253); empty without a certificate, and in a group
 * @param sinceEpochMillis since when; 0 if a record of an earlier version does not say it
 * @param released whether an operator has taken it from its owner: the next consumer owns it
 */
public record Ownership(String subject, long sinceEpochMillis, boolean released) {
    /** Of a subscription whose record says nothing of it: its node id owns it. */
    public static final Ownership NONE = new Ownership("", 0, false);

    /** The longest subject. */
    public static final int MAX_SUBJECT_BYTES = 512;

    public Ownership {
        checkSubject(subject);
        if (sinceEpochMillis < 0) {
            throw new IllegalArgumentException("owned since " + sinceEpochMillis + " ms");
        }
    }

    /** Throws IllegalArgumentException with a sentence if the subject is too long to be kept. */
    public static void checkSubject(String subject) {
        if (subject.getBytes(StandardCharsets.UTF_8).length > MAX_SUBJECT_BYTES) {
            throw new IllegalArgumentException(
                    "the certificate's subject is longer than " + MAX_SUBJECT_BYTES + " bytes");
        }
    }

    /** As a consumer brings it that shows a certificate with that subject, or none if it is empty. */
    public static Ownership of(String subject) {
        return new Ownership(subject, 0, false);
    }

    /** The same from that time on. */
    public Ownership since(long epochMillis) {
        return new Ownership(subject, epochMillis, released);
    }

    /** Taken from its owner. */
    public Ownership release() {
        return new Ownership(subject, sinceEpochMillis, true);
    }
}
