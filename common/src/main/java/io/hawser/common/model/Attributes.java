package io.hawser.common.model;

/** The names of the attributes that Hawser itself reads; applications may add others that begin with {@code x-}. */
public final class Attributes {
    /** Modification time of the source, milliseconds since the epoch, decimal. */
    public static final String MODIFIED_MILLIS = "mtime";
    /** Topic that the reply to this request goes to. */
    public static final String REPLY_TOPIC = "reply-topic";
    /** Ties a reply to its request; opaque. */
    public static final String CORRELATION = "correlation";
    /** The account that uploaded the object at the near edge. */
    public static final String ACCOUNT = "account";

    private Attributes() {}
}
