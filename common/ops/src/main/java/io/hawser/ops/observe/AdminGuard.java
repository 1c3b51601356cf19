package io.hawser.ops.observe;

import io.hawser.core.access.Access;
import io.hawser.ops.audit.Audit;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may use the admin pages: over loopback in clear text every process of the machine; from elsewhere a caller with the token, or with a
 * certificate of the CA that is not revoked.
 *
 * @param token null where no token is accepted
 * @param rights what the owner of a certificate may do
 * @param audit records changes and refusals
 *
 * <p>Thread: any.
 */
public record AdminGuard(@Nullable AdminToken token, Function<X509Certificate, Access> rights, Audit audit) {
    /** Accepts every certificate of the CA, and no token. */
    public static final AdminGuard DEFAULT = new AdminGuard(null, certificate -> Access.OPEN, Audit.NONE);

    private static final String BEARER = "Bearer ";

    /**
     * The caller; empty if it may do nothing.
     *
     * @param certificate from the TLS handshake; null if there was none
     * @param plainLoopback whether the request came in clear text from this machine
     * @param authorization the header of that name
     */
    Optional<Admission> admit(
            @Nullable X509Certificate certificate, boolean plainLoopback, @Nullable String authorization) {
        AdminToken secret = token;
        if (secret != null
                && authorization != null
                && authorization.startsWith(BEARER)
                && secret.is(authorization.substring(BEARER.length()).strip())) {
            return Optional.of(new Admission(Caller.OPERATOR, Credential.TOKEN));
        }
        if (certificate != null) {
            Access access = rights.apply(certificate);
            String name = access.peer().isKnown()
                    ? access.peer().text()
                    : certificate.getSubjectX500Principal().getName();
            return Optional.of(new Admission(new Caller(name, access), Credential.CERTIFICATE));
        }
        return plainLoopback ? Optional.of(new Admission(Caller.OPERATOR, Credential.MACHINE)) : Optional.empty();
    }
}
