package io.hawser.core.model;

/** The names of the attributes that Hawser reads itself; applications may add others with the prefix {@code x-}. */
public final class Attributes {
    /** Modification time of the source, or the one that is to be set, milliseconds since the epoch, decimal. */
    public static final String MODIFIED_MILLIS = "mtime";
    /** Topic that the reply to this request goes to. */
    public static final String REPLY_TOPIC = "reply-topic";
    /** Ties a reply to its request; opaque. */
    public static final String CORRELATION = "correlation";
    /** The account that uploaded the object at the near edge. */
    public static final String ACCOUNT = "account";

    /** The name that a rename gives, in the form of {@link Manifest#name()}. */
    public static final String RENAMED_TO = "to";
    /** The permission bits that are to be set, octal, 0 to 777. */
    public static final String MODE = "mode";

    /** Where the bytes of a patch belong, see {@link PatchRanges#text}: usually one offset, decimal. */
    public static final String OFFSET = "offset";
    /** The size of the file that is patched, decimal, or {@link #NO_BASE}. */
    public static final String BASE_SIZE = "base-size";
    /** {@link #BASE_SIZE} of a patch that makes a file where none is. */
    public static final String NO_BASE = "none";
    /** The fingerprint of the file that is patched, as the far edge told it. */
    public static final String BASE_FINGERPRINT = "base-fingerprint";

    /**
     * The tree digest of the file that is patched, as {@link TransferDigest} writes it: in place of a fingerprint, for a file that
     * was itself on its way when the patch was made.
     */
    public static final String BASE_DIGEST = "base-digest";

    /** Whose credential came with the transfer, see {@link GridCredential}. */
    public static final String GRID_IDENTITY = "grid-identity";
    /** When that credential ends, milliseconds since the epoch, decimal. */
    public static final String GRID_EXPIRES_MILLIS = "grid-expires";
    /** The sealed credential in base64, in parts from 0. */
    public static final String GRID_CREDENTIAL = "grid-credential-";

    private Attributes() {}
}
