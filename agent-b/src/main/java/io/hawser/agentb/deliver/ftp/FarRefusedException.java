package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/** The far server answered with an error, or with something that it should not have. The connection itself is whole. */
public final class FarRefusedException extends IOException {
    private static final int MAX_SHOWN = 300;

    private static final int PERMANENT = 500;

    private final int code;

    /**
     * Creates the exception.
     *
     * @param asked the command, without a password
     * @param code the reply code
     * @param reply the whole reply
     */
    public FarRefusedException(String asked, int code, String reply) {
        super("the far server answered " + asked + " with \"" + shown(reply) + "\"");
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Whether the server means that the same will be refused again (RFC 959 §4.2). */
    boolean isPermanent() {
        return code >= PERMANENT;
    }

    /** One line of at most {@value #MAX_SHOWN} characters without control characters: it ends up in logs and receipts. */
    static String shown(String reply) {
        String line = reply.strip().replaceAll("\\s*\\R\\s*", " | ");
        StringBuilder text = new StringBuilder();
        line.codePoints().limit(MAX_SHOWN).forEach(c -> text.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return text.toString();
    }
}
