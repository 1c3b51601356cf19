package io.hawser.agenta.ftp.command;

/**
 * A pattern of names as shells have it (POSIX.1-2017, XCU section 2.13): {@code *}, {@code ?}, {@code [a-z]}, {@code [!a-z]}, and a
 * backslash before a character that is taken literally. A leading dot is matched by a dot only. A match takes at most pattern times name steps.
 *
 * @param text the pattern
 */
record GlobPattern(String text) {
    /** Whether {@code name} has anything of a pattern in it. */
    static boolean isOne(String name) {
        return name.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
    }

    boolean matches(String name) {
        if (name.startsWith(".") && !text.startsWith(".")) {
            return false;
        }
        int at = 0;
        int behindStar = -1; // where the pattern continues after the last star
        int tried = 0; // what that star has taken so far ends here
        int position = 0;
        while (position < name.length()) {
            if (at < text.length() && text.charAt(at) == '*') {
                behindStar = ++at;
                tried = position;
            } else if (at < text.length() && takes(at, name.charAt(position))) {
                at = next(at);
                position++;
            } else if (behindStar >= 0) {
                at = behindStar;
                position = ++tried;
            } else {
                return false;
            }
        }
        while (at < text.length() && text.charAt(at) == '*') {
            at++;
        }
        return at == text.length();
    }

    /** Where the element after the one at {@code at} begins. */
    private int next(int at) {
        int end = bracketEnd(at);
        return end > 0 ? end + 1 : at + (isEscape(at) ? 2 : 1);
    }

    private boolean isEscape(int at) {
        return text.charAt(at) == '\\' && at + 1 < text.length();
    }

    /** The closing bracket of the one at {@code at}, or -1; a bracket right after the opening one is in the set. */
    private int bracketEnd(int at) {
        return text.charAt(at) == '[' ? text.indexOf(']', at + (text.startsWith("[!", at) ? 3 : 2)) : -1;
    }

    private boolean takes(int at, char c) {
        int end = bracketEnd(at);
        if (end > 0) {
            boolean negated = text.charAt(at + 1) == '!';
            return negated != contains(at + (negated ? 2 : 1), end, c);
        }
        return text.charAt(at) == '?' || text.charAt(isEscape(at) ? at + 1 : at) == c;
    }

    private boolean contains(int from, int end, char c) {
        for (int i = from; i < end; i++) {
            boolean range = i + 2 < end && text.charAt(i + 1) == '-';
            if (range ? text.charAt(i) <= c && c <= text.charAt(i + 2) : text.charAt(i) == c) {
                return true;
            }
            i += range ? 2 : 0;
        }
        return false;
    }
}
