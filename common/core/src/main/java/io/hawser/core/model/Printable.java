package io.hawser.core.model;

/**
 * Makes text from other systems (names, replies, reasons) safe to print: control characters, which could end a log line or move a
 * terminal's cursor, become question marks.
 *
 * <p>Thread: any.
 */
public final class Printable {
    private static final int SHORT_LENGTH = 300;
    private static final int LINE_SEPARATOR = 0x2028;
    private static final int PARAGRAPH_SEPARATOR = 0x2029;

    private Printable() {}

    public static String text(String text) {
        return shown(text, Integer.MAX_VALUE);
    }

    /** At most the first 300 characters of {@code text}, for sentences and logs. */
    public static String shortly(String text) {
        return shown(text, SHORT_LENGTH);
    }

    private static String shown(String text, int length) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().limit(length).forEach(c -> shown.appendCodePoint(isUnsafe(c) ? '?' : c));
        return shown.toString();
    }

    private static boolean isUnsafe(int c) {
        return Character.isISOControl(c) || c == LINE_SEPARATOR || c == PARAGRAPH_SEPARATOR;
    }
}
