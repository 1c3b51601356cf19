package io.hawser.core.model;

/**
 * A pattern for transfers' names: {@code *} matches any characters but the slash, {@code **} any characters, {@code ?} one character but the
 * slash, every other character itself. Matching takes time in proportion to the pattern's length times the name's.
 *
 * @param text the pattern; at most {@value #MAX_LENGTH} characters
 */
public record NamePattern(String text) {
    /** The longest pattern. */
    public static final int MAX_LENGTH = 256;

    public NamePattern {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a pattern for names is 1 to " + MAX_LENGTH + " characters");
        }
    }

    public boolean matches(String name) {
        // reached[j]: the pattern so far matches the first j characters of the name
        boolean[] reached = new boolean[name.length() + 1];
        reached[0] = true;
        for (int i = 0; i < text.length(); i++) {
            char wanted = text.charAt(i);
            boolean deep = wanted == '*' && i + 1 < text.length() && text.charAt(i + 1) == '*';
            if (deep) {
                i++;
            }
            reached = wanted == '*' ? afterStar(reached, name, deep) : afterOne(reached, name, wanted);
        }
        return reached[name.length()];
    }

    private static boolean[] afterStar(boolean[] before, String name, boolean deep) {
        boolean[] after = new boolean[before.length];
        for (int j = 0; j < before.length; j++) {
            after[j] = before[j] || (j > 0 && after[j - 1] && (deep || name.charAt(j - 1) != '/'));
        }
        return after;
    }

    private static boolean[] afterOne(boolean[] before, String name, char wanted) {
        boolean[] after = new boolean[before.length];
        for (int j = 1; j < before.length; j++) {
            char is = name.charAt(j - 1);
            after[j] = before[j - 1] && (wanted == '?' ? is != '/' : wanted == is);
        }
        return after;
    }
}
