package io.hawser.agenta.sftp.ssh;

import io.hawser.core.tls.PrivateFiles;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.digest.BuiltinDigests;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.util.security.SecurityUtils;

/**
 * The key by which clients know this server: Ed25519, in OpenSSH's format, made at the first start. Thread: any.
 *
 * @param pair the key
 * @param fingerprint as {@code ssh-keygen -l} and clients show it
 */
public record HostKey(KeyPair pair, String fingerprint) {
    private static final String FILE = "ssh_host_ed25519_key";
    private static final int ED25519_BITS = 256;
    private static final Storage DISK = new DiskStorage();

    /** The key in {@code directory}, which is made if there is none. {@link IOException} if it cannot be used. */
    public static HostKey in(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        try {
            if (!Files.exists(file)) {
                make(file);
            }
            PrivateFiles.refuseShared(file);
            KeyPair pair = read(file);
            return new HostKey(pair, KeyUtils.getFingerPrint(BuiltinDigests.sha256, pair.getPublic()));
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot use the SSH host key " + file + ": " + e.getMessage(), e);
        }
    }

    private static KeyPair read(Path file) throws IOException, GeneralSecurityException {
        try (InputStream bytes = Files.newInputStream(file)) {
            Iterable<KeyPair> keys =
                    SecurityUtils.loadKeyPairIdentities(null, NamedResource.ofName(file.toString()), bytes, null);
            if (keys != null && keys.iterator().hasNext()) {
                return keys.iterator().next();
            }
        }
        throw new IOException("The SSH host key " + file + " is empty; remove it and a new one is made");
    }

    /** The file is there durably and whole, or not at all. */
    private static void make(Path file) throws IOException, GeneralSecurityException {
        KeyPair pair = KeyUtils.generateKeyPair(KeyPairProvider.SSH_ED25519, ED25519_BITS);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, "hawser agent-a", null, text);
        DISK.replaceAll(file, text.toByteArray());
    }
}
