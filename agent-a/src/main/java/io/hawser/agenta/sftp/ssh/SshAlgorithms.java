package io.hawser.agenta.sftp.ssh;

import java.util.List;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.cipher.BuiltinCiphers;
import org.apache.sshd.common.compression.BuiltinCompressions;
import org.apache.sshd.common.kex.BuiltinDHFactories;
import org.apache.sshd.common.mac.BuiltinMacs;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.server.ServerBuilder;

/**
 * What is negotiated: nothing that OpenSSH has stopped to offer, and of its ciphers those that the JDK computes with the processor's
 * instructions. ChaCha20-Poly1305, which OpenSSH's client would choose, is several times slower here. Thread: any.
 */
final class SshAlgorithms {
    private static final List<BuiltinDHFactories> KEY_EXCHANGES = List.of(
            BuiltinDHFactories.mlkem768x25519,
            BuiltinDHFactories.sntrup761x25519,
            BuiltinDHFactories.sntrup761x25519_openssh,
            BuiltinDHFactories.curve25519,
            BuiltinDHFactories.curve25519_libssh,
            BuiltinDHFactories.ecdhp256,
            BuiltinDHFactories.ecdhp384,
            BuiltinDHFactories.ecdhp521,
            BuiltinDHFactories.dhg16_512);
    private static final List<BuiltinCiphers> CIPHERS = List.of(
            BuiltinCiphers.aes128gcm,
            BuiltinCiphers.aes256gcm,
            BuiltinCiphers.aes128ctr,
            BuiltinCiphers.aes192ctr,
            BuiltinCiphers.aes256ctr);
    private static final List<BuiltinMacs> MACS = List.of(
            BuiltinMacs.hmacsha256etm, BuiltinMacs.hmacsha512etm, BuiltinMacs.hmacsha256, BuiltinMacs.hmacsha512);
    private static final List<BuiltinSignatures> SIGNATURES = List.of(
            BuiltinSignatures.ed25519,
            BuiltinSignatures.nistp256,
            BuiltinSignatures.nistp384,
            BuiltinSignatures.nistp521,
            BuiltinSignatures.sk_ssh_ed25519,
            BuiltinSignatures.sk_ecdsa_sha2_nistp256,
            BuiltinSignatures.rsaSHA512,
            BuiltinSignatures.rsaSHA256);

    private SshAlgorithms() {}

    static ServerBuilder builder() {
        return ServerBuilder.builder()
                .keyExchangeFactories(NamedFactory.setUpTransformedFactories(true, KEY_EXCHANGES, ServerBuilder.DH2KEX))
                .cipherFactories(List.copyOf(NamedFactory.setUpBuiltinFactories(true, CIPHERS)))
                .macFactories(List.copyOf(NamedFactory.setUpBuiltinFactories(true, MACS)))
                .signatureFactories(List.copyOf(NamedFactory.setUpBuiltinFactories(true, SIGNATURES)))
                .compressionFactories(
                        List.copyOf(NamedFactory.setUpBuiltinFactories(true, List.of(BuiltinCompressions.none))));
    }
}
