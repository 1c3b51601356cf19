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
 * Authenticates a control connection by an exchange of tokens, and wraps the streams after it. It checks the server before it sends anything secret.
 *
 * <pre>
 *   AUTH GSSAPI ──334──► ADAT token ──335 ADAT=token──► ADAT … ──235──► done: WrappedCommands, UnwrappingReplyInputStream
 * </pre>
 *
 * <p>Thread: one at a time.
 */
public final class ControlExchange {
    private static final int MORE = 335;
    private static final int DONE = 235;
    /** Six are usual. */
    private static final int MAX_TOKENS = 16;

    private static final Pattern TOKEN = Pattern.compile("[23]35[- ]ADAT=([A-Za-z0-9+/=]*)\\s*");

    private final GsiInitiator initiator;

    public ControlExchange(GsiInitiator initiator) {
        this.initiator = initiator;
    }

    /** Sends commands in clear text. */
    public interface ClearCommands {
        /** Sends a command and returns the reply with its code; throws unless that begins with 1, 2 or 3. */
        String command(String verb, String argument) throws IOException;
    }

    /** Runs the exchange to its end. Throws {@link AuthenticationException} if the server is not authenticated. */
    public void run(ClearCommands commands) throws IOException {
        commands.command("AUTH", "GSSAPI");
        byte[] token = step(new byte[0]);
        for (int i = 0; i < MAX_TOKENS; i++) {
            String reply = commands.command("ADAT", Base64.getEncoder().encodeToString(token));
            if (reply.startsWith(Integer.toString(DONE))) {
                if (!initiator.isDone()) {
                    throw new AuthenticationException("the server ended the exchange of tokens too early");
                }
                return;
            }
            if (!reply.startsWith(Integer.toString(MORE)) || initiator.isDone()) {
                throw new AuthenticationException("the server violated the exchange of tokens");
            }
            token = step(token(reply));
        }
        throw new AuthenticationException("the exchange of tokens did not end after " + MAX_TOKENS + " tokens");
    }

    private static byte[] token(String reply) throws AuthenticationException {
        Matcher token = TOKEN.matcher(reply);
        if (!token.matches()) {
            throw new AuthenticationException("the server's reply has no token");
        }
        try {
            return Base64.getDecoder().decode(token.group(1));
        } catch (IllegalArgumentException e) {
            throw new AuthenticationException("the server's token is not base64", e);
        }
    }

    private byte[] step(byte[] token) throws AuthenticationException {
        try {
            return initiator.step(token);
        } catch (GsiException e) {
            throw new AuthenticationException(e.why(), e);
        }
    }

    /** The server's replies after the exchange, unwrapped. */
    public InputStream replies(InputStream in) {
        return new UnwrappingReplyInputStream(in, initiator);
    }

    /** Commands after the exchange, to be wrapped. */
    public OutputStream commands(OutputStream out) {
        return new WrappedCommands(out, initiator);
    }
}
