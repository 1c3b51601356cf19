package io.hawser.common.tls;

import java.nio.file.Path;

/**
 * The layout of a key directory: {@code ca.crt}, {@code ca.key} and, for each role, {@code ROLE.crt} and {@code ROLE.key};
 * all PEM, private keys PKCS#8 and readable by their owner only. A node needs {@code ca.crt} and its own two files.
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

    public Path certificate(Role role) {
        return path.resolve(role.fileName() + ".crt");
    }

    public Path key(Role role) {
        return path.resolve(role.fileName() + ".key");
    }
}
