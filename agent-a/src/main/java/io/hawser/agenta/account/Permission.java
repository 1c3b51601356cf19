package io.hawser.agenta.account;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** What an account may do. Each has a letter for files and flags. */
public enum Permission {
    /** Download. */
    READ('r'),
    /** Upload, make directories, and change names, times and modes. */
    WRITE('w'),
    /** List directories, and ask for sizes, times and checksums. */
    LIST('l'),
    /** Remove files and directories. */
    DELETE('d');

    private final char letter;

    Permission(char letter) {
        this.letter = letter;
    }

    /** Everything. */
    public static Set<Permission> all() {
        return EnumSet.allOf(Permission.class);
    }

    /** The set that the letters name, such as {@code rwl}. {@link IllegalArgumentException} for other letters. */
    public static Set<Permission> parse(String letters) {
        Set<Permission> result = EnumSet.noneOf(Permission.class);
        for (int i = 0; i < letters.length(); i++) {
            result.add(of(letters.charAt(i)));
        }
        return result;
    }

    private static Permission of(char letter) {
        for (Permission permission : values()) {
            if (permission.letter == letter) {
                return permission;
            }
        }
        throw new IllegalArgumentException(
                "permissions are letters of rwld (read, write, list, delete), not " + letter);
    }

    public static String letters(Collection<Permission> permissions) {
        return EnumSet.allOf(Permission.class).stream()
                .filter(permissions::contains)
                .map(permission -> String.valueOf(permission.letter))
                .collect(Collectors.joining());
    }
}
