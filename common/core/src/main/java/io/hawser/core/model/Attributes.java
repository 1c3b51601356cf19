package io.hawser.core.model;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The attributes that Hawser reads itself; applications may add others with the prefix {@code x-}. */
public final class Attributes {
    /** Modification time of the source, or the time to set, milliseconds since the epoch, decimal. */
    public static final String MODIFIED_MILLIS = "mtime";
    /** Topic for the reply to this request. */
    public static final String REPLY_TOPIC = "reply-topic";
    /** Links a reply to its request; opaque. */
    public static final String CORRELATION = "correlation";
    /** The account that uploaded the object at agent-a. */
    public static final String ACCOUNT = "account";
    /** {@link #CONVERTED_TEXT} if the bytes were changed as they came: a position at the client is then another one here. */
    public static final String CONVERTED = "converted";
    /** Of {@link #CONVERTED}: line ends, as FTP's TYPE A has it. */
    public static final String CONVERTED_TEXT = "text";

    /** The new name of a rename, in the form of {@link Manifest#name()}. */
    public static final String RENAMED_TO = "to";
    /** The permission bits to set, octal, 0 to 777. */
    public static final String MODE = "mode";

    /** {@link #YES} of a deletion that is done, too, if there is no such file. */
    public static final String IF_EXISTS = "if-exists";
    /** Of {@link #IF_EXISTS}. */
    public static final String YES = "yes";

    /** The ranges of a patch, see {@link PatchRanges#text}: usually one offset, decimal. */
    public static final String OFFSET = "offset";
    /** The size of the patched file, decimal, or {@link #NO_BASE}. */
    public static final String BASE_SIZE = "base-size";
    /** {@link #BASE_SIZE} of a patch that creates the file. */
    public static final String NO_BASE = "none";
    /** The fingerprint of the patched file, as the far end reported it. */
    public static final String BASE_FINGERPRINT = "base-fingerprint";

    /**
     * The tree digest of the patched file, as {@link TransferDigest} writes it: instead of a fingerprint, for a file that was itself being
     * transferred when the patch was made.
     */
    public static final String BASE_DIGEST = "base-digest";

    /** The identity in the transfer's credential, see {@link GridCredential}. */
    public static final String GRID_IDENTITY = "grid-identity";
    /** When that credential expires, milliseconds since the epoch, decimal. */
    public static final String GRID_EXPIRES_MILLIS = "grid-expires";
    /** The sealed credential in base64, in parts from 0. */
    public static final String GRID_CREDENTIAL = "grid-credential-";

    private static final Map<String, String> NAMES = Stream.of(
                    MODIFIED_MILLIS,
                    REPLY_TOPIC,
                    CORRELATION,
                    ACCOUNT,
                    CONVERTED,
                    RENAMED_TO,
                    MODE,
                    IF_EXISTS,
                    OFFSET,
                    BASE_SIZE,
                    BASE_FINGERPRINT,
                    BASE_DIGEST,
                    GRID_IDENTITY,
                    GRID_EXPIRES_MILLIS)
            .collect(Collectors.toUnmodifiableMap(name -> name, name -> name));

    private Attributes() {}

    /** The same name, as the one string on the heap that all manifests share if Hawser reads it itself. */
    public static String shared(String name) {
        return NAMES.getOrDefault(name, name);
    }
}
