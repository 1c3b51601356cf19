package io.hawser.gsi.name;

/** Matches patterns with {@code *} and {@code ?}, in time at most proportional to the product of both lengths. */
final class Glob {
    private Glob() {}

    static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int starAt = -1;
        int resumeAt = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                starAt = p++;
                resumeAt = t;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
                p++;
                t++;
            } else if (starAt >= 0) {
                p = starAt + 1; // the last star matches one more character
                t = ++resumeAt;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
