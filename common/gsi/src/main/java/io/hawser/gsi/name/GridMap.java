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
 * Who is mapped to which accounts: the contents of a grid-mapfile.
 *
 * <pre>
 *   # comment
 *   "/O=Test Grid/CN=Anna" anna,guest
 *   /O=Test\x20Grid/CN=Ben ben
 * </pre>
 *
 * <p>Quotes are needed where a name has blanks. A backslash makes the next character literal, {@code \xC3} means that byte. The first
 * account is the default. Of several lines for a name the first counts. Everything behind a {@code #} between the accounts is a comment.
 * Pool accounts ({@code .pool}) are not known here.
 */
public final class GridMap {
    private final Map<DistinguishedName, List<String>> accounts;

    private GridMap(Map<DistinguishedName, List<String>> accounts) {
        this.accounts = Map.copyOf(accounts);
    }

    /** Nobody is mapped. */
    public static GridMap empty() {
        return new GridMap(Map.of());
    }

    /** Reads lines; {@code problem} gets a sentence for each that cannot be used, which is left out. */
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

    /** The account that {@code who} gets when it asks for {@code wanted}; an empty wish means the default. */
    public Optional<String> account(DistinguishedName who, String wanted) {
        return accounts(who).stream()
                .filter(account -> wanted.isEmpty() || account.equals(wanted))
                .findFirst();
    }

    /** How many names are mapped. */
    public int size() {
        return accounts.size();
    }

    /** One line that is no comment, being read. */
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
            return slashForm(name.toByteArray());
        }

        /** The byte that an escape stands for. */
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

        /** What is not ASCII stays a byte, whatever it may mean. */
        private static String slashForm(byte[] name) {
            StringBuilder out = new StringBuilder();
            for (byte b : name) {
                if (b >= ' ' && b <= '~') {
                    out.append((char) b);
                } else {
                    out.append("\\x").append(Character.forDigit((b >> 4) & 15, 16));
                    out.append(Character.forDigit(b & 15, 16));
                }
            }
            return out.toString();
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
