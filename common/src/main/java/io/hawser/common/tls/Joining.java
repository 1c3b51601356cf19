package io.hawser.common.tls;

import io.hawser.common.config.ConfigException;
import io.hawser.common.config.HostPort;
import io.hawser.common.tls.Invitations.NotInvitedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLSocket;

/**
 * A node that joins. Its private key is made here, before the token is shown, in the directory where it stays; it never leaves. Of what
 * comes back all is checked as a node does at its start.
 *
 * <p>Thread: one.
 */
public final class Joining {
    private static final int LONGEST_ANSWER = 1 << 20;
    private static final int LINES = 6;

    private final JoinToken token;
    private final KeyDirectory target;

    /** @param target is made; refused if it has keys already */
    public Joining(JoinToken token, KeyDirectory target) {
        this.token = token;
        this.target = target;
    }

    /**
     * Who the node is now.
     *
     * @param tls its keys
     */
    public record Joined(Role role, String name, NodeTls tls) {}

    /**
     * Joins.
     *
     * @param timeout for connecting, and for each answer
     * @throws NotInvitedException with what the other side said; nothing is left in the directory
     */
    public Joined join(HostPort at, Duration timeout) throws IOException, NotInvitedException {
        KeyMaker.refuseToOverwrite(target);
        boolean wasThere = Files.isDirectory(target.path());
        KeyMaker.makePrivate(target.path());
        Path key = target.path().resolve("joining.key");
        boolean joined = false;
        try {
            KeyPair pair = KeyMaker.newKeyPair();
            Files.deleteIfExists(key);
            KeyMaker.writePrivate(key, KeyMaker.privateKey(pair.getPrivate()));
            List<String> lines = ask(at, timeout, JoinRequest.of(pair));
            Role role = Invitations.role(lines.get(1));
            Files.move(key, target.key(role), StandardCopyOption.ATOMIC_MOVE);
            joined = true;
            KeyMaker.writePublic(target.certificate(role), decoded(lines.get(3)));
            KeyMaker.writePublic(target.caCertificate(), decoded(lines.get(4)));
            if (!lines.get(5).isEmpty()) {
                KeyMaker.writePublic(target.revocations(), decoded(lines.get(5)));
            }
            return new Joined(role, lines.get(2), NodeTls.load(target.path(), role));
        } finally {
            if (!joined) {
                Files.deleteIfExists(key);
                if (!wasThere) {
                    Files.deleteIfExists(target.path());
                }
            }
        }
    }

    private List<String> ask(HostPort at, Duration timeout, byte[] request) throws IOException, NotInvitedException {
        String line = String.join(
                " ",
                JoinServer.WORD,
                token.id(),
                token.secret(),
                Base64.getEncoder().encodeToString(request));
        int millis = (int) timeout.toMillis();
        try (Socket plain = new Socket()) {
            plain.connect(address(at), millis);
            plain.setSoTimeout(millis);
            try (SSLSocket secured = (SSLSocket) JoinTls.client(token.authority())
                    .getSocketFactory()
                    .createSocket(plain, at.host(), at.port(), true)) {
                secured.startHandshake();
                secured.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
                secured.getOutputStream().flush();
                String answer = new String(secured.getInputStream().readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
                return lines(answer);
            }
        }
    }

    private static InetSocketAddress address(HostPort at) {
        try {
            return at.resolve();
        } catch (IllegalArgumentException e) {
            throw new ConfigException("cannot join at " + at + ": " + e.getMessage());
        }
    }

    private static List<String> lines(String answer) throws IOException, NotInvitedException {
        if (answer.startsWith("NO ")) {
            throw new NotInvitedException(answer.substring(3).strip().replaceAll("\\p{Cntrl}+", " "));
        }
        List<String> lines = List.of(answer.split("\n", -1));
        if (lines.size() != LINES + 1 || !lines.get(0).equals("OK")) {
            throw new IOException("the answer is not complete; if the invitation is used up now, ask for another");
        }
        return lines;
    }

    private static String decoded(String base64) throws IOException {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException e) {
            throw new IOException("the answer is damaged", e);
        }
    }
}
