package io.hawser.ops.cli;

import java.util.ArrayList;
import java.util.List;

/** Fits text to the width of a terminal. Thread: any. */
public final class TerminalText {
    /** From here on a character may take two columns, as those of East Asia do. */
    private static final int FIRST_WIDE = 0x1100;

    private TerminalText() {}

    /** The line, broken between words where it would not fit; the later parts are indented. A longer word is left to the terminal. */
    public static List<String> wrap(String line, int columns, int indent) {
        List<String> lines = new ArrayList<>();
        String rest = line;
        while (rest.length() >= columns) {
            int space = rest.lastIndexOf(' ', columns - 1);
            if (space <= indent || rest.substring(0, space).isBlank()) {
                break;
            }
            lines.add(rest.substring(0, space).stripTrailing());
            rest = " ".repeat(indent) + rest.substring(space).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    /** The line, without what would not fit: one column stays free, because a terminal wraps after the last. */
    public static String cut(String line, int columns) {
        int left = Math.max(1, columns - 1);
        StringBuilder shown = new StringBuilder();
        for (int c : line.codePoints().toArray()) {
            left -= c < FIRST_WIDE ? 1 : 2;
            if (left < 0) {
                break;
            }
            shown.appendCodePoint(c);
        }
        return shown.toString();
    }
}
