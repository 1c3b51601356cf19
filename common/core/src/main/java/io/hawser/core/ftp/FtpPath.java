package io.hawser.core.ftp;

import io.hawser.core.model.Utf8;
import java.util.ArrayList;
import java.util.List;

/**
 * An absolute, normalised path in a server's namespace, without {@code .}, {@code ..} and empty segments. A {@code ..} at the root stays at
 * the root. Segments are {@link NameEncoding} text.
 *
 * <p>An account may have a directory as its root: its paths hide the first segments, which it can neither see nor leave. Two paths are equal
 * if all their segments are.
 *
 * @param segments the names from the root of the namespace downwards; none for that root itself
 * @param hidden how many of them are above the root that the client sees
 */
public record FtpPath(List<String> segments, int hidden) {
    public static final FtpPath ROOT = new FtpPath(List.of());
    public static final int MAX_SEGMENT_LENGTH_BYTES = 255;
    public static final int MAX_LENGTH_BYTES = 4096;

    public FtpPath {
        segments = List.copyOf(segments);
        if (hidden < 0 || hidden > segments.size()) {
            throw new IllegalArgumentException("cannot hide " + hidden + " of " + segments);
        }
    }

    /** A path without hidden segments. */
    public FtpPath(List<String> segments) {
        this(segments, 0);
    }

    /** This directory as an account's root. */
    public FtpPath asRoot() {
        return new FtpPath(segments, segments.size());
    }

    /** Why a name cannot be used. The message is for the client. */
    public static final class BadNameException extends Exception {
        private static final long serialVersionUID = 1;

        private final String why;

        BadNameException(String why) {
            super(why);
            this.why = why;
        }

        /** The message. */
        public String why() {
            return why;
        }
    }

    /** Resolves {@code name}, absolute or relative to this path. {@link BadNameException} if no file can have that name. */
    public FtpPath resolve(String name) throws BadNameException {
        List<String> result = new ArrayList<>(name.startsWith("/") ? segments.subList(0, hidden) : segments);
        for (String segment : name.split("/")) {
            if (segment.equals("..")) {
                if (result.size() > hidden) {
                    result.remove(result.size() - 1);
                }
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                check(segment);
                result.add(segment);
            }
        }
        FtpPath path = new FtpPath(result, hidden);
        if (Utf8.length(String.join("/", result)) > MAX_LENGTH_BYTES) {
            throw new BadNameException("File name too long");
        }
        return path;
    }

    private static void check(String segment) throws BadNameException {
        if (segment.indexOf('\0') >= 0 || segment.indexOf('\r') >= 0 || segment.indexOf('\n') >= 0) {
            throw new BadNameException("A name must not contain NUL, CR or LF");
        }
        if (Utf8.length(segment) > MAX_SEGMENT_LENGTH_BYTES) {
            throw new BadNameException("File name too long");
        }
    }

    /** Whether this is the root that the client sees. */
    public boolean isRoot() {
        return segments.size() == hidden;
    }

    public boolean isAtOrBelow(FtpPath directory) {
        int depth = directory.segments.size();
        return segments.size() >= depth && segments.subList(0, depth).equals(directory.segments);
    }

    /** The path above; the root's parent is the root. */
    public FtpPath parent() {
        return isRoot() ? this : new FtpPath(segments.subList(0, segments.size() - 1), hidden);
    }

    /** The last segment, empty for the root. */
    public String name() {
        return isRoot() ? "" : segments.get(segments.size() - 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FtpPath path && segments.equals(path.segments);
    }

    @Override
    public int hashCode() {
        return segments.hashCode();
    }

    /** The path for the client, without hidden segments. */
    @Override
    public String toString() {
        return "/" + String.join("/", segments.subList(hidden, segments.size()));
    }
}
