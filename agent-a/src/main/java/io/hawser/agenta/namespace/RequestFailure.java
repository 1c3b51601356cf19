package io.hawser.agenta.namespace;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.RemoteFiles;

/**
 * Why a client's request is refused, in no protocol's words: each front turns the reason into its own code.
 *
 * @param reason the kind
 * @param words a sentence for the user, which does not name the path
 */
public record RequestFailure(Reason reason, String words) {
    /** What POSIX says of a path at which nothing is. */
    public static final String NO_SUCH_FILE = "No such file or directory";

    /** What an account hears that may not know why. */
    public static final String PERMISSION_DENIED = "Permission denied";

    public static final String IS_DIRECTORY = "Is a directory";
    public static final String NOT_DIRECTORY = "Not a directory";

    public enum Reason {
        NOT_FOUND,
        DENIED,
        /** What is at the path does not fit the request: a directory, other bytes. */
        CONFLICT,
        /** A file, where the entries of a directory are asked for. */
        NOT_LISTABLE,
        /** No file may have the name. */
        BAD_NAME,
        /** The upload cannot start from the client's position; it can from the beginning. */
        NOT_CONTINUABLE,
        /** The client's position is after the end of what is there. */
        AFTER_THE_END,
        /** The client's positions cannot be used. */
        BAD_POSITION,
        /** Not now; the same may succeed later. */
        BUSY,
        NO_SPACE,
        QUOTA_EXCEEDED,
        STOPPING,
        FAILED
    }

    public static RequestFailure notFound() {
        return new RequestFailure(Reason.NOT_FOUND, NO_SUCH_FILE);
    }

    public static RequestFailure conflict(String words) {
        return new RequestFailure(Reason.CONFLICT, words);
    }

    public static RequestFailure busy(String words) {
        return new RequestFailure(Reason.BUSY, words);
    }

    /** A refusal of the spool, or of the far end for something that was sent to it. */
    public static RequestFailure of(Refusal refusal) {
        String detail = refusal.detail();
        return switch (refusal.code()) {
            case NO_SPACE -> new RequestFailure(Reason.NO_SPACE, "No space left on device: " + detail);
            case TOO_LARGE -> new RequestFailure(Reason.QUOTA_EXCEEDED, "Disk quota exceeded: " + detail);
            case BAD_NAME -> new RequestFailure(Reason.BAD_NAME, detail);
            case NOT_ALLOWED -> new RequestFailure(Reason.DENIED, PERMISSION_DENIED + ": " + detail);
            case NOT_FOUND -> new RequestFailure(Reason.NOT_FOUND, detail);
            case UNREACHABLE -> new RequestFailure(Reason.FAILED, detail + "; try again later");
            case STOPPING -> new RequestFailure(Reason.STOPPING, detail);
            default -> new RequestFailure(Reason.FAILED, detail);
        };
    }

    /** A refusal of the far end to say what is at a path, or to send it. */
    public static RequestFailure ofQuestion(Refusal refusal) {
        return switch (refusal.code()) {
            case NOT_FOUND -> notFound();
            case NOT_ALLOWED ->
                isOfApplication(refusal) ? of(refusal) : new RequestFailure(Reason.DENIED, PERMISSION_DENIED);
            case IS_DIRECTORY -> conflict(IS_DIRECTORY);
            case NOT_DIRECTORY -> conflict(NOT_DIRECTORY);
            case TOO_LARGE -> new RequestFailure(Reason.FAILED, refusal.detail());
            case SOURCE_CHANGED ->
                new RequestFailure(Reason.FAILED, "the file changed while it was read: " + refusal.detail());
            default -> of(refusal);
        };
    }

    /** The request needs the far end, which is away or silent. */
    public static RequestFailure onlyTheFarEndKnows(Refusal unreachable) {
        return busy(unreachable.detail() + ", and it alone knows; try again later");
    }

    /** Of so many uploads it is not known yet whether they are at the far end that what is missing there proves nothing. */
    public static Refusal unfollowed() {
        return new Refusal(
                ErrorCode.UNREACHABLE,
                "more uploads wait for the far end than can be followed here, so what is there is not known");
    }

    /** A rename is on its way, and whether the far end that answers has made it is not known. */
    public static Refusal beingRenamed() {
        return new Refusal(ErrorCode.UNREACHABLE, "it is being renamed, and not every far end has made the rename");
    }

    /** Whether it is not known what is there: the far end is away or silent, or the destination has no files to show. */
    public static boolean isUnheard(Refusal refusal) {
        return refusal.code() == ErrorCode.UNREACHABLE || isOfApplication(refusal);
    }

    /** Whether the destination is an application, which neither shows files nor takes parts of them. */
    public static boolean isOfApplication(Refusal refusal) {
        return refusal.code() == ErrorCode.NOT_ALLOWED && refusal.detail().equals(RemoteFiles.APPLICATION);
    }

    /** The same, of what was made of such a refusal. */
    public boolean isOfApplication() {
        return reason == Reason.DENIED && words.endsWith(RemoteFiles.APPLICATION);
    }

    /** Whether the far end takes files and shows none. */
    public static boolean isOfClosed(Refusal refusal) {
        return refusal.code() == ErrorCode.NOT_ALLOWED && refusal.detail().equals(RemoteFiles.CLOSED);
    }
}
