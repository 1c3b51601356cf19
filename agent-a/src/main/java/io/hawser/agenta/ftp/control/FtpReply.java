package io.hawser.agenta.ftp.control;

import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.NameEncoding;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * One reply of the server, RFC 959 section 4.2.
 *
 * @param code the three digits
 * @param lines the text; more than one make a multi-line reply, whose inner lines are indented by a space as FEAT (RFC 2389)
 *     and MLST (RFC 3659) ask
 */
public record FtpReply(ReplyCode code, List<String> lines) {
    public FtpReply {
        lines = List.copyOf(lines);
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("a reply has text");
        }
    }

    public static FtpReply of(ReplyCode code, String text) {
        return new FtpReply(code, List.of(text));
    }

    /** A refusal that concerns a path, in the words that clients look for: {@code 550 /a/b: No such file or directory}. */
    public static FtpReply about(ReplyCode code, Object path, String text) {
        return of(code, path + ": " + text);
    }

    /** A reply that clients read a path from: {@code 257 "path" text}, quotes in it doubled (RFC 959 appendix II). */
    public static FtpReply quoting(ReplyCode code, FtpPath path, String text) {
        return of(code, '"' + path.toString().replace("\"", "\"\"") + "\" " + text);
    }

    public byte[] encode() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            boolean last = i == lines.size() - 1;
            if (i == 0 || last) {
                out.append(code.code()).append(last ? ' ' : '-');
            } else {
                out.append(' ');
            }
            out.append(oneLine(lines.get(i))).append("\r\n");
        }
        return NameEncoding.encode(out.toString());
    }

    /** What came from a client must not be able to forge a line of its own. */
    private static String oneLine(String text) {
        return text.replace('\r', '?').replace('\n', '?').replace('\0', '?');
    }
}
