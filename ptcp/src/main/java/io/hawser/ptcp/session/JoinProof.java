package io.hawser.ptcp.session;

import io.hawser.ptcp.wire.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves that both ends of a data channel know a session's join secret: HMAC-SHA256 (RFC 2104) with the secret over a label,
 * the session id, the stream number and the dialler's random bytes. The labels differ, so neither proof can be sent back
 * as the other.
 *
 * <p>There is no challenge by the acceptor, which would cost a round trip for each stream. What a challenge would prevent,
 * a replay, is prevented by the stream number: each one can join once in a session, and session ids and secrets are random.
 * A wrong proof does not use the number up.
 */
public final class JoinProof {
    private static final byte[] DIALLER_LABEL = "hawser-ptcp-1-join".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ACCEPTOR_LABEL = "hawser-ptcp-1-joined".getBytes(StandardCharsets.US_ASCII);
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec secret;
    private final long sessionId;

    public JoinProof(ByteString secret, long sessionId) {
        this.secret = new SecretKeySpec(secret.toArray(), ALGORITHM);
        this.sessionId = sessionId;
    }

    /** What the dialler sends. */
    public ByteString ofDialler(int stream, ByteString random) {
        return proof(DIALLER_LABEL, stream, random);
    }

    /** What the acceptor answers. */
    public ByteString ofAcceptor(int stream, ByteString random) {
        return proof(ACCEPTOR_LABEL, stream, random);
    }

    /** Compares in a time that does not depend on where the difference is. */
    public static boolean matches(ByteString expected, ByteString actual) {
        return MessageDigest.isEqual(expected.toArray(), actual.toArray());
    }

    private ByteString proof(byte[] label, int stream, ByteString random) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            mac.update(label);
            mac.update(ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                    .putLong(sessionId)
                    .putInt(stream)
                    .flip());
            return ByteString.of(mac.doFinal(random.toArray()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
