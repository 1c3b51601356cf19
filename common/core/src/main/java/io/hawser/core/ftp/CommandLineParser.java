package io.hawser.core.ftp;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Parses the bytes of a control connection into command lines: RFC 959 section 5.3 on RFC 854 (Telnet). A line ends with LF,
 * with or without a CR before it; CR NUL within a line is a CR (lftp sends it); Telnet commands are removed (lftp and others
 * send IAC IP IAC DM before ABOR, the last byte as TCP urgent data, which may therefore be missing).
 *
 * <p>The result does not depend on how the bytes are split. A line that is too long is reported at once, and dropped to its end; if the end
 * does not come within {@value #MAX_DROPPED_BYTES} bytes, that is reported too.
 *
 * <p>Thread: one owner, no synchronisation.
 */
public final class CommandLineParser {
    private static final int IAC = 0xFF;
    private static final int FIRST_TELNET_COMMAND = 0xF0;
    private static final int FIRST_TELNET_OPTION = 0xFB;

    private static final int USUAL_LINE_BYTES = 512;
    /** The most bytes of one line that are dropped beyond its limit: no program needs as many. */
    private static final int MAX_DROPPED_BYTES = 16 << 20;

    private enum State {
        TEXT,
        AFTER_CR,
        AFTER_IAC,
        OPTION
    }

    private final IntSupplier maxLineBytes;
    private byte[] line = new byte[USUAL_LINE_BYTES];
    private int length;
    private State state = State.TEXT;
    private int dropped;
    private boolean reported;

    /** Creates a parser for lines of at most {@code maxLineBytes}, the end of line not counted. It is asked again for each byte. */
    public CommandLineParser(IntSupplier maxLineBytes) {
        this.maxLineBytes = maxLineBytes;
    }

    public sealed interface Parsed {
        record Command(CommandLine line) implements Parsed {}

        /** A line has more than {@code maxBytes}; its rest is dropped. */
        record TooLong(int maxBytes) implements Parsed {}

        /** A line that is too long does not end. */
        record Endless() implements Parsed {}
    }

    /** Reads bytes until one line is complete, or returns null when {@code in} is used up. */
    public @Nullable Parsed next(ByteBuf in) {
        while (in.isReadable()) {
            Parsed parsed = reported ? drop(in) : accept(in.readUnsignedByte());
            if (parsed == null && dropped > 0 && !reported) {
                reported = true;
                state = State.TEXT;
                parsed = new Parsed.TooLong(maxLineBytes.getAsInt());
            }
            if (parsed != null) {
                return parsed;
            }
        }
        return null;
    }

    /** Drops the rest of a line that is too long. */
    private @Nullable Parsed drop(ByteBuf in) {
        int allowed = Math.min(in.readableBytes(), MAX_DROPPED_BYTES - dropped);
        int beforeEnd = in.bytesBefore(allowed, (byte) '\n');
        if (beforeEnd >= 0) {
            in.skipBytes(beforeEnd + 1);
            return endOfLine();
        }
        in.skipBytes(allowed);
        dropped += allowed;
        if (dropped < MAX_DROPPED_BYTES) {
            return null;
        }
        dropped = 1;
        return new Parsed.Endless();
    }

    /** Whether no part of a further line has come. */
    public boolean isBetweenLines() {
        return length == 0 && dropped == 0 && state == State.TEXT;
    }

    private @Nullable Parsed accept(int b) {
        switch (state) {
            case TEXT -> {
                return text(b);
            }
            case AFTER_CR -> {
                state = State.TEXT;
                if (b != '\n') {
                    append('\r');
                }
                return b == 0 ? null : text(b);
            }
            case AFTER_IAC -> {
                return afterIac(b);
            }
            case OPTION -> state = State.TEXT;
        }
        return null;
    }

    private @Nullable Parsed text(int b) {
        switch (b) {
            case '\n' -> {
                return endOfLine();
            }
            case '\r' -> state = State.AFTER_CR;
            case IAC -> state = State.AFTER_IAC;
            default -> append(b);
        }
        return null;
    }

    private @Nullable Parsed afterIac(int b) {
        state = State.TEXT;
        if (b == IAC) {
            append(IAC);
        } else if (b >= FIRST_TELNET_OPTION) {
            state = State.OPTION;
        } else if (b < FIRST_TELNET_COMMAND) {
            // The second byte of IAC DM was urgent data and is not here, or a Latin-1 client does not double its 0xFF.
            if (length > 0) {
                append(IAC);
            }
            return text(b);
        }
        return null;
    }

    /** The line; null if it has been reported as too long. */
    private @Nullable Parsed endOfLine() {
        Parsed parsed = null;
        if (dropped == 0) {
            parsed = new Parsed.Command(CommandLine.of(line, length));
        } else if (!reported) {
            parsed = new Parsed.TooLong(maxLineBytes.getAsInt());
        }
        dropped = 0;
        reported = false;
        length = 0;
        if (line.length > USUAL_LINE_BYTES) {
            line = new byte[USUAL_LINE_BYTES]; // long ones are rare, and sessions are many
        }
        return parsed;
    }

    private void append(int b) {
        int most = maxLineBytes.getAsInt();
        if (length >= most) {
            dropped++;
            return;
        }
        if (length == line.length) {
            line = Arrays.copyOf(line, Math.min(2 * length, most));
        }
        line[length++] = (byte) b;
    }
}
