package io.hawser.gsi.name;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Maps distinguished names to accounts: the content of a grid-mapfile.
 *
 * <pre>
 *   # comment
 *   "/O=Test Grid/CN=Anna" anna,guest
 *   /O=Test\x20Grid/CN=Ben ben
 * </pre>
 *
 * <p>A name with blanks needs quotes. A backslash makes the next character literal, {@code \xC3} means that byte. The first account is the default.
 * The first line for a name counts. A {@code #} between the accounts begins a comment. Pool accounts ({@code .pool}) are not supported.
 */
public final class GridMap {
    private final Map<DistinguishedName, List<String>> accounts;

    private GridMap(Map<DistinguishedName, List<String>> accounts) {
        this.accounts = Map.copyOf(accounts);
    }

    public static GridMap empty() {
        return new GridMap(Map.of());
    }

    /** Parses lines; skips each malformed one and gives {@code problem} a sentence about it. */
    public static GridMap parse(List<String> lines, Consumer<String> problem) {
        Map<DistinguishedName, List<String>> accounts = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    Line parsed = new Line(line);
                    accounts.putIfAbsent(DistinguishedName.parse(parsed.name()), parsed.accounts());
                } catch (IllegalArgumentException e) {
                    problem.accept("line " + (i + 1) + ": " + e.getMessage());
                }
            }
        }
        return new GridMap(accounts);
    }

    /** The accounts of {@code who}, the default first; empty if there are none. */
    public List<String> accounts(DistinguishedName who) {
        return accounts.getOrDefault(who, List.of());
    }

    /** The account for {@code who} that asks for {@code wanted}; empty means the default. */
    public Optional<String> account(DistinguishedName who, String wanted) {
        return accounts(who).stream()
                .filter(account -> wanted.isEmpty() || account.equals(wanted))
                .findFirst();
    }

    /** The number of names. */
    public int size() {
        return accounts.size();
    }

    /** Parses one line that is not a comment. */
    private static final class Line {
        private final byte[] bytes;
        private int at;

        Line(String line) {
            this.bytes = line.getBytes(StandardCharsets.UTF_8);
        }

        private boolean hasMore() {
            return at < bytes.length;
        }

        /** The name, in the slash form. */
        String name() {
            boolean quoted = bytes[at] == '"';
            if (quoted) {
                at++;
            }
            ByteArrayOutputStream name = new ByteArrayOutputStream();
            while (hasMore() && !(quoted ? bytes[at] == '"' : isBlank(bytes[at]))) {
                name.write(bytes[at] == '\\' ? escaped() : bytes[at++]);
            }
            if (!hasMore()) {
                throw new IllegalArgumentException(
                        quoted ? "the closing quote is missing" : "no account follows the name");
            }
            at++;
            return DistinguishedName.slashForm(name.toByteArray());
        }

        /** The byte that an escape means. */
        private int escaped() {
            boolean hex = at + 3 < bytes.length && bytes[at + 1] == 'x' && digit(at + 2) >= 0 && digit(at + 3) >= 0;
            if (hex) {
                int value = digit(at + 2) * 16 + digit(at + 3);
                at += 4;
                return value;
            }
            if (at + 1 >= bytes.length) {
                throw new IllegalArgumentException("a backslash at the end of the line");
            }
            at += 2;
            return bytes[at - 1];
        }

        private int digit(int index) {
            return Character.digit(bytes[index], 16);
        }

        List<String> accounts() {
            List<String> accounts = new ArrayList<>();
            String rest = new String(bytes, at, bytes.length - at, StandardCharsets.UTF_8);
            for (String word : rest.split("[\\s,]+")) {
                if (word.startsWith("#")) {
                    break;
                }
                if (word.startsWith(".")) {
                    throw new IllegalArgumentException("pool accounts (" + word + ") are not supported");
                }
                if (!word.isEmpty()) {
                    accounts.add(word);
                }
            }
            if (accounts.isEmpty()) {
                throw new IllegalArgumentException("no account follows the name");
            }
            return List.copyOf(accounts);
        }

        private static boolean isBlank(byte b) {
            return b == ' ' || b == '\t';
        }
    }
}
