package io.hawser.common.tls;

import io.hawser.common.config.ConfigException;
import io.hawser.common.config.HostPort;
import io.hawser.common.tls.Invitations.NotInvitedException;
import io.hawser.common.tls.Invitations.Welcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/**
 * A node that joins. Its private key is made here, before the token is shown, in the directory where it stays; it never leaves. Of what
 * comes back all is checked as a node does at its start.
 *
 * <p>Thread: one.
 */
public final class Joining {
    private static final int LONGEST_ANSWER = 1 << 20;

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
            Welcome welcome = ask(at, timeout, JoinRequest.of(pair));
            Role role = welcome.role();
            Files.move(key, target.key(role), StandardCopyOption.ATOMIC_MOVE);
            joined = true;
            KeyMaker.writePublic(target.certificate(role), welcome.certificate());
            KeyMaker.writePublic(target.caCertificate(), welcome.ca());
            if (!welcome.revocations().isEmpty()) {
                KeyMaker.writePublic(target.revocations(), welcome.revocations());
            }
            return new Joined(role, welcome.name(), NodeTls.load(target.path(), role));
        } finally {
            if (!joined) {
                Files.deleteIfExists(key);
                if (!wasThere) {
                    Files.deleteIfExists(target.path());
                }
            }
        }
    }

    private Welcome ask(HostPort at, Duration timeout, byte[] request) throws IOException, NotInvitedException {
        int millis = (int) timeout.toMillis();
        try (Socket plain = new Socket()) {
            plain.connect(address(at), millis);
            plain.setSoTimeout(millis);
            try (SSLSocket secured = (SSLSocket) JoinTls.client(token.authority())
                    .getSocketFactory()
                    .createSocket(plain, at.host(), at.port(), true)) {
                secured.startHandshake();
                secured.getOutputStream().write(JoinMessages.request(token, request));
                secured.getOutputStream().flush();
                return JoinMessages.answer(secured.getInputStream().readNBytes(LONGEST_ANSWER));
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
}
