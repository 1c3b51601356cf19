package io.hawser.core.model;

/**
 * The owner of a subscription: the subject of its consumer's certificate, so that a renewed certificate and a new data directory keep it. A
 * consumer without a certificate owns the subscription by its node id, which is not verified.
 *
 * <p>In a group each member has a subject of its own, which is in the {@link GroupRoster}.
 *
 * @param subject of the consumer's certificate (RFC 2253); empty without a certificate, and in a group
 * @param sinceEpochMillis since when it owns it; 0 if unknown
 * @param released whether an operator has released it: the next consumer owns it
 */
public record Ownership(String subject, long sinceEpochMillis, boolean released) {
    /** Owned by its node id. */
    public static final Ownership NONE = new Ownership("", 0, false);

    public static final int MAX_SUBJECT_BYTES = 512;

    public Ownership {
        checkSubject(subject);
        if (sinceEpochMillis < 0) {
            throw new IllegalArgumentException("owned since " + sinceEpochMillis + " ms");
        }
    }

    /** {@link IllegalArgumentException} with a sentence if the subject is too long. */
    public static void checkSubject(String subject) {
        if (Utf8.length(subject) > MAX_SUBJECT_BYTES) {
            throw new IllegalArgumentException(
                    "the certificate's subject is longer than " + MAX_SUBJECT_BYTES + " bytes");
        }
    }

    /** Owned by the subject of a certificate; by the node id if it is empty. */
    public static Ownership of(String subject) {
        return new Ownership(subject, 0, false);
    }

    /** The same owner since that time. */
    public Ownership since(long epochMillis) {
        return new Ownership(subject, epochMillis, released);
    }

    public Ownership release() {
        return new Ownership(subject, sinceEpochMillis, true);
    }
}
