package io.hawser.core.tls;

import java.nio.file.Path;

/**
 * The layout of a key directory: {@code ca.crt}, {@code ca.key} and, for each role, {@code ROLE.crt} and {@code ROLE.key};
 * all PEM, private keys PKCS#8 and readable by their owner only. A node needs {@code ca.crt} and its own two files, and {@code
 * ca.crl} if something was revoked.
 *
 * @param path the directory
 *
 * <p>Thread: immutable.
 */
public record KeyDirectory(Path path) {
    public Path caCertificate() {
        return path.resolve("ca.crt");
    }

    /** Needed to make further certificates only; it belongs on no node. */
    public Path caKey() {
        return path.resolve("ca.key");
    }

    /** What the CA has revoked; need not be there. */
    public Path revocations() {
        return path.resolve("ca.crl");
    }

    public Path certificate(Role role) {
        return path.resolve(role.fileName() + ".crt");
    }

    public Path key(Role role) {
        return path.resolve(role.fileName() + ".key");
    }
}
