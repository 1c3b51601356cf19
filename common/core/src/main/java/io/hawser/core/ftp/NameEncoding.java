package io.hawser.core.ftp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Converts names between bytes on FTP connections and text in Hawser without loss. Bytes that are UTF-8 are read as UTF-8 (RFC 2640). A byte
 * that is not part of valid UTF-8 becomes one character of the private range U+F780 to U+F7FF (its value plus U+F700), and so do the three
 * bytes of a character that is itself in that range. So different names have different texts, and {@link #encode} returns the bytes.
 */
public final class NameEncoding {
    private static final char BASE = 0xF700;
    private static final char FIRST = 0xF780;
    private static final char LAST = 0xF7FF;

    private NameEncoding() {}

    /** The text of {@code length} bytes from {@code offset}. */
    public static String decode(byte[] bytes, int offset, int length) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        CharBuffer out = CharBuffer.allocate(length); // UTF-8 never has more chars than bytes
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            if (!result.isError()) {
                break;
            }
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (BASE + (in.get() & 0xFF)));
            }
            decoder.reset();
        }
        return escapePrivate(out.flip().toString(), bytes, offset, length);
    }

    /** The bytes of {@code text}. A character without bytes, such as half a surrogate pair, becomes {@code ?}. */
    public static byte[] encode(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 16);
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            if (isEscape(text.charAt(i))) {
                out.writeBytes(text.substring(plain, i).getBytes(StandardCharsets.UTF_8));
                out.write(text.charAt(i) - BASE);
                plain = i + 1;
            }
        }
        out.writeBytes(text.substring(plain).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    /** Escapes the bytes of characters that are themselves in the private range, which is rare. */
    private static String escapePrivate(String decoded, byte[] bytes, int offset, int length) {
        boolean sent = false;
        for (int i = offset; i + 2 < offset + length; i++) {
            sent |= isEscapeInUtf8(bytes, i);
        }
        if (!sent) {
            return decoded;
        }
        StringBuilder out = new StringBuilder(length);
        int plain = offset;
        for (int i = offset; i + 2 < offset + length; i++) {
            if (isEscapeInUtf8(bytes, i)) {
                out.append(decode(bytes, plain, i - plain));
                for (int b = 0; b < 3; b++) {
                    out.append((char) (BASE + (bytes[i + b] & 0xFF)));
                }
                i += 2;
                plain = i + 1;
            }
        }
        return out.append(decode(bytes, plain, offset + length - plain)).toString();
    }

    private static boolean isEscape(char c) {
        return c >= FIRST && c <= LAST;
    }

    /** U+F780 to U+F7FF are the bytes EF 9E 80 to EF 9F BF. */
    private static boolean isEscapeInUtf8(byte[] bytes, int i) {
        int second = bytes[i + 1] & 0xFF;
        int third = bytes[i + 2] & 0xFF;
        return (bytes[i] & 0xFF) == 0xEF && (second == 0x9E || second == 0x9F) && third >= 0x80 && third <= 0xBF;
    }
}
