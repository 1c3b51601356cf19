package io.hawser.agentb.deliver.gsi;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.token.GsiInitiator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The exchange of tokens by which a control connection is authenticated, and the streams that it goes on with. The server is checked
 * within it, before it is given anything.
 *
 * <pre>
 *   AUTH GSSAPI ──334──► ADAT token ──335 ADAT=token──► ADAT … ──235──► done: WrappedCommands, WrappedReplies
 * </pre>
 *
 * <p>Thread: one at a time.
 */
public final class ControlExchange {
    private static final int MORE = 335;
    private static final int DONE = 235;
    /** Six are needed. */
    private static final int MAX_TOKENS = 16;

    private static final Pattern TOKEN = Pattern.compile("[23]35[- ]ADAT=([A-Za-z0-9+/=]*)\\s*");

    private final GsiInitiator initiator;

    public ControlExchange(GsiInitiator initiator) {
        this.initiator = initiator;
    }

    /** Sends commands in clear text. */
    public interface Dialogue {
        /** Sends a command and demands a reply that begins with 1, 2 or 3, which is returned with its code. */
        String command(String verb, String argument) throws IOException;
    }

    /** Runs it to its end. {@link AuthenticationException} if this end does not believe the other. */
    public void run(Dialogue dialogue) throws IOException {
        dialogue.command("AUTH", "GSSAPI");
        byte[] token = step(new byte[0]);
        for (int i = 0; i < MAX_TOKENS; i++) {
            String reply = dialogue.command("ADAT", Base64.getEncoder().encodeToString(token));
            if (reply.startsWith(Integer.toString(DONE))) {
                if (!initiator.isDone()) {
                    throw new AuthenticationException("the server ends the exchange of tokens before it is over");
                }
                return;
            }
            if (!reply.startsWith(Integer.toString(MORE)) || initiator.isDone()) {
                throw new AuthenticationException("the server goes on with the exchange of tokens as it must not");
            }
            token = step(token(reply));
        }
        throw new AuthenticationException("the exchange of tokens does not end");
    }

    private static byte[] token(String reply) throws AuthenticationException {
        Matcher token = TOKEN.matcher(reply);
        if (!token.matches()) {
            throw new AuthenticationException("the server's reply holds no token");
        }
        try {
            return Base64.getDecoder().decode(token.group(1));
        } catch (IllegalArgumentException e) {
            throw new AuthenticationException("the server's token is no base64", e);
        }
    }

    private byte[] step(byte[] token) throws AuthenticationException {
        try {
            return initiator.step(token);
        } catch (GsiException e) {
            throw new AuthenticationException(e.why(), e);
        }
    }

    /** What the server says from now on. */
    public InputStream replies(InputStream in) {
        return new WrappedReplies(in, initiator);
    }

    /** Where commands go from now on. */
    public OutputStream commands(OutputStream out) {
        return new WrappedCommands(out, initiator);
    }
}
