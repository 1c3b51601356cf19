package io.hawser.ops.observe;

import io.hawser.core.access.Access;
import io.hawser.ops.audit.Audit;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask for admin pages. From loopback in clear text it is everybody on the machine. From elsewhere it is who shows the token, or a
 * certificate of the CA that is not revoked.
 *
 * @param token null where no token is taken
 * @param rights what the owner of a certificate may do
 * @param audit where changes and refusals are noted
 *
 * <p>Thread: any.
 */
public record AdminGuard(@Nullable AdminToken token, Function<X509Certificate, Access> rights, Audit audit) {
    /** Every certificate of the CA, and no token. */
    public static final AdminGuard DEFAULT = new AdminGuard(null, certificate -> Access.OPEN, Audit.NONE);

    private static final String BEARER = "Bearer ";

    /**
     * Who asks; empty if he may not ask anything.
     *
     * @param certificate from the TLS handshake; null if none was shown
     * @param plainLoopback whether he asks in clear text from this machine
     * @param authorization the header of that name
     */
    Optional<Caller> admit(
            @Nullable X509Certificate certificate, boolean plainLoopback, @Nullable String authorization) {
        AdminToken secret = token;
        if (secret != null
                && authorization != null
                && authorization.startsWith(BEARER)
                && secret.is(authorization.substring(BEARER.length()).strip())) {
            return Optional.of(Caller.OPERATOR);
        }
        if (certificate != null) {
            Access access = rights.apply(certificate);
            String name = access.peer().isKnown()
                    ? access.peer().text()
                    : certificate.getSubjectX500Principal().getName();
            return Optional.of(new Caller(name, access));
        }
        return plainLoopback ? Optional.of(Caller.OPERATOR) : Optional.empty();
    }
}
