package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Printable;
import io.hawser.core.model.Utf8;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * The name of an object below a target, checked: it stays below whatever it is put below, and a file system can hold it. Odd
 * but legal names pass: spaces, line breaks, a leading dash, any UTF-8, segments of 255 bytes.
 *
 * <p>Refused: an empty name, a leading or trailing slash, empty segments, {@code .} and {@code ..}, NUL, characters that have
 * no UTF-8 form, a segment longer than {@value #MAX_SEGMENT_BYTES} bytes, and a first segment that belongs to a landing
 * directory. Symbolic links are the target's matter, since they can only be seen when the name is used.
 *
 * @param segments at least one
 */
public record TargetName(List<String> segments) {
    /** The longest segment that Linux file systems take, in bytes of UTF-8. */
    public static final int MAX_SEGMENT_BYTES = 255;
    /** The longest path that a Linux system call takes, in bytes. */
    public static final int MAX_PATH_BYTES = 4095;

    public TargetName {
        segments = List.copyOf(segments);
    }

    /** Checks {@code name}; refused with {@code BAD_NAME} and a sentence. */
    public static Outcome<TargetName> parse(String name) {
        String problem = problemOf(name);
        if (!problem.isEmpty()) {
            return Outcome.refused(ErrorCode.BAD_NAME, "The name \"" + Printable.shortly(name) + "\" " + problem);
        }
        return Outcome.of(new TargetName(List.of(name.split("/", -1))));
    }

    /** The same, and the path below {@code root} must be short enough for the system. */
    public static Outcome<TargetName> parseBelow(Path root, String name) {
        Outcome<TargetName> parsed = parse(name);
        if (parsed.isRefused()) {
            return parsed;
        }
        try {
            int length = Utf8.length(root.resolve(name).toString());
            return length <= MAX_PATH_BYTES
                    ? parsed
                    : Outcome.refused(
                            ErrorCode.BAD_NAME,
                            "The name \"" + Printable.shortly(name) + "\" makes a path of " + length
                                    + " bytes; the system takes " + MAX_PATH_BYTES + ". Shorten it.");
        } catch (InvalidPathException e) {
            return Outcome.refused(
                    ErrorCode.BAD_NAME,
                    "The name \"" + Printable.shortly(name) + "\" cannot be written in this system's character set ("
                            + System.getProperty("sun.jnu.encoding")
                            + "). Start the receiving side with a UTF-8 locale, such as LC_ALL=C.UTF-8.");
        }
    }

    private static String problemOf(String name) {
        if (name.isEmpty()) {
            return "is empty; give the object a name.";
        }
        if (name.startsWith("/")) {
            return "is absolute; names are relative to the destination.";
        }
        if (name.indexOf('\0') >= 0) {
            return "contains a NUL character.";
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            return "contains characters that have no UTF-8 form.";
        }
        for (String segment : name.split("/", -1)) {
            String problem = problemOfSegment(segment);
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        return name.startsWith(LandingOptions.DIRECTORY_PREFIX)
                ? "begins with " + LandingOptions.DIRECTORY_PREFIX + ", which is kept for incomplete files."
                : "";
    }

    private static String problemOfSegment(String segment) {
        if (segment.isEmpty()) {
            return "has an empty segment (two slashes in a row, or one at the end).";
        }
        if (segment.equals(".") || segment.equals("..")) {
            return "contains \"" + segment + "\"; names must stay below the destination.";
        }
        int length = Utf8.length(segment);
        return length > MAX_SEGMENT_BYTES
                ? "has a segment of " + length + " bytes; file systems take " + MAX_SEGMENT_BYTES + "."
                : "";
    }

    /** The path below {@code root}. */
    public Path below(Path root) {
        Path path = root;
        for (String segment : segments) {
            path = path.resolve(segment);
        }
        return path;
    }
}
