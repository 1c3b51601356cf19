package io.hawser.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Lengths of text in UTF-8, and decoding that refuses other bytes. */
public final class Utf8 {
    /** The JDK's replacement for bytes that are not UTF-8. It is longer than they are, perhaps too long for the next node. */
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /** The length of {@code text} in bytes. */
    public static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The beginning of {@code text}, of at most {@code mostBytes} bytes; all of it if it is not longer. */
    public static String cut(String text, int mostBytes) {
        String cut = text;
        while (length(cut) > mostBytes) {
            cut = cut.substring(0, cut.length() * 3 / 4);
        }
        return cut;
    }

    /** The text of {@code bytes}; {@link IllegalArgumentException} if they are not UTF-8. */
    public static String decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0 && !Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8))) {
            throw new IllegalArgumentException("a string of " + bytes.length + " bytes that are not UTF-8");
        }
        return text;
    }
}
