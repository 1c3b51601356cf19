package io.hawser.core.hop;

import io.hawser.core.model.CodedEnum;

/** The reason why a peer refuses a transfer or a request. The numbers are fixed by the wire format. */
public enum ErrorCode implements CodedEnum {
    /** The disk or a quota is full; the sender retries. */
    NO_SPACE(1, true),
    /** Larger than the store or a quota can ever hold. */
    TOO_LARGE(2, false),
    /** No right to the topic, or the transfer belongs to another publisher. */
    NOT_ALLOWED(3, false),
    /** The id has been used for a transfer that is finished, cancelled or different. */
    ID_USED(4, false),
    /** A message that breaks the protocol or its limits. */
    MALFORMED(5, false),
    /** The commit does not match the fragments. */
    DIGEST_MISMATCH(6, false),
    /** The name leads out of the destination, or cannot exist there. */
    BAD_NAME(7, false),
    /** The store failed; see the node's log. */
    STORAGE_FAILED(8, true),
    /** The subscription is in use by another consumer. */
    SUBSCRIPTION_BUSY(9, true),
    /** The transfer was cancelled: by its publisher, or for one subscription, since it was late. */
    CANCELLED(10, false),
    /** The node is stopping. */
    STOPPING(11, true),
    /** No such transfer, topic or subscription. */
    NOT_FOUND(12, false),
    /** The source file has changed since its digests were computed. */
    SOURCE_CHANGED(13, false),
    /** No node that could answer is connected. */
    UNREACHABLE(14, true),
    /** The request names a directory, and the path is not one. */
    NOT_DIRECTORY(15, false),
    /** The request names a file, and the path is a directory. */
    IS_DIRECTORY(16, false),
    /** The path exists already, or the directory is not empty. */
    EXISTS(17, false);

    private final int code;
    private final boolean retriable;

    ErrorCode(int code, boolean retriable) {
        this.code = code;
        this.retriable = retriable;
    }

    @Override
    public int code() {
        return code;
    }

    /** Whether the same request may succeed later without a change. */
    public boolean retriable() {
        return retriable;
    }

    /** The code with that number; {@link IllegalArgumentException} if there is none. */
    public static ErrorCode of(int code) {
        return CodedEnum.of(values(), code, "error code");
    }
}
