package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.Printable;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The far server answered with an error, or with an unexpected reply. The connection can be used again. */
public final class FarRefusedException extends IOException {

    private static final int PERMANENT = 500;
    /** Of a reply, before its line ends are replaced. */
    private static final int SHOWN_CHARACTERS = 1_000;

    private static final Pattern GLOBUS_ERRNO = Pattern.compile("GridFTP-Errno: ([0-9]{1,5})(?![0-9])");
    /** EPERM, ENOENT, EACCES, EEXIST, EXDEV, ENOTDIR, EISDIR, EINVAL, EROFS, ENAMETOOLONG, ENOTEMPTY of Linux. */
    private static final Set<Integer> PERMANENT_ERRNOS = Set.of(1, 2, 13, 17, 18, 20, 21, 22, 30, 36, 39);

    private final int code;
    private final boolean permanent;

    /**
     * @param command without a password
     * @param code the reply code
     * @param reply the whole reply
     */
    public FarRefusedException(String command, int code, String reply) {
        super("the far server answered " + command + " with \"" + shown(reply) + "\"");
        this.code = code;
        Matcher errno = GLOBUS_ERRNO.matcher(reply);
        this.permanent =
                code >= PERMANENT || (errno.find() && PERMANENT_ERRNOS.contains(Integer.parseInt(errno.group(1))));
    }

    public int code() {
        return code;
    }

    /**
     * Whether the server would refuse the same again (RFC 959 §4.2). globus-gridftp-server answers 451 also to permanent errors, such as RMD of a
     * directory that is not empty; its reply holds the errno.
     */
    boolean isPermanent() {
        return permanent;
    }

    /** One line of at most 300 characters without control characters, for logs and receipts. */
    static String shown(String reply) {
        String text = reply.strip();
        // Cut first: the pattern takes a time that grows with the square of the length.
        String beginning = text.substring(0, Math.min(SHOWN_CHARACTERS, text.length()));
        return Printable.shortly(beginning.replaceAll("\\s*\\R\\s*", " | "));
    }
}
