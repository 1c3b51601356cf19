package io.hawser.ops.keys;

import io.hawser.core.access.Identity;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.CertificateIdentity;
import io.hawser.core.tls.CheckedKeys;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.ops.keys.Invitations.NotInvitedException;
import io.hawser.ops.keys.Invitations.Welcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/**
 * Joins a node: makes its private key in the directory where it stays, redeems a token at the enrolment server, and checks the answer as a node checks
 * its keys at its start.
 *
 * <p>Thread: one.
 */
public final class JoinClient {
    private static final int MAX_ANSWER_BYTES = 1 << 20;

    private final JoinToken token;
    private final KeyDirectory target;

    /** @param target is created; refused if it has keys already */
    public JoinClient(JoinToken token, KeyDirectory target) {
        this.token = token;
        this.target = target;
    }

    /** @param tls its keys */
    public record Joined(Role role, String name, NodeTls tls) {}

    /**
     * @param timeout for connecting, and for each answer
     * @throws NotInvitedException with the server's reason; nothing is left in the directory
     */
    public Joined join(HostPort at, Duration timeout) throws IOException, NotInvitedException {
        if (KeyDirectoryWriter.finish(target)) {
            return joined(); // an earlier run was cut off after the answer
        }
        boolean existed = Files.isDirectory(target.path());
        boolean joined = false;
        try (KeyDirectoryWriter draft = KeyDirectoryWriter.begin(target)) {
            KeyPair pair = CertificateAuthority.newKeyPair();
            Path key = target.path().resolve("joining.key");
            draft.addPrivate(key, KeyMaker.privateKey(pair.getPrivate()));
            Welcome welcome = ask(at, timeout, JoinRequest.of(pair));
            joined = true;
            draft.rename(key, target.key(welcome.role()));
            draft.addPublic(target.certificate(welcome.role()), welcome.certificate());
            draft.addPublic(target.caCertificate(), welcome.ca());
            if (!welcome.revocations().isEmpty()) {
                draft.addPublic(target.revocations(), welcome.revocations());
            }
            draft.publish();
            return joined();
        } finally {
            if (!joined && !existed) {
                Files.deleteIfExists(target.path());
            }
        }
    }

    private Joined joined() {
        for (Role role : Role.values()) {
            if (Files.exists(target.certificate(role))) {
                NodeTls tls = NodeTls.load(target.path(), role);
                Identity identity = CertificateIdentity.identity(
                        CheckedKeys.certificates(target.certificate(role)).get(0));
                return new Joined(role, identity.name(), tls);
            }
        }
        throw new ConfigException("there is no certificate of a node in " + target.path());
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
                return JoinMessages.answer(secured.getInputStream().readNBytes(MAX_ANSWER_BYTES));
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
