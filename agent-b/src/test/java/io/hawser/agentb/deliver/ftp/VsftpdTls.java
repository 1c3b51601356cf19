package io.hawser.agentb.deliver.ftp;

import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A vsftpd that speaks only TLS and demands that data connections resume the control connection's session. */
public final class VsftpdTls {
    private static final String CERTIFICATE = "cert.pem";
    private static final String KEY = "key.pem";
    private static byte[] certificate = {};
    private static byte[] key = {};

    private VsftpdTls() {}

    /** Its certificate, which is its own authority too, is {@code cert.pem} in {@code directory}. */
    public static FarServerProcess start(Path directory, String... lines) throws Exception {
        certify(directory);
        List<String> config = new ArrayList<>(List.of(
                "anon_max_rate=100000000",
                "ssl_enable=YES",
                "allow_anon_ssl=YES",
                "force_anon_logins_ssl=YES",
                "force_anon_data_ssl=YES",
                "require_ssl_reuse=YES",
                "ssl_tlsv1=YES",
                "ssl_ciphers=HIGH",
                "rsa_cert_file=" + directory.resolve(CERTIFICATE),
                "rsa_private_key_file=" + directory.resolve(KEY)));
        config.addAll(List.of(lines));
        return FarServerProcess.vsftpd(directory, config.toArray(String[]::new));
    }

    /** A key is made once; to make one takes a while. */
    private static synchronized void certify(Path directory) throws Exception {
        if (certificate.length > 0) {
            Files.write(directory.resolve(CERTIFICATE), certificate);
            Files.write(directory.resolve(KEY), key);
            return;
        }
        String request = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=far"
                + " -addext subjectAltName=IP:127.0.0.1";
        List<String> openssl = new ArrayList<>(List.of("openssl"));
        openssl.addAll(List.of(request.split(" ")));
        Program.run(directory, openssl.toArray(String[]::new)).succeeded();
        certificate = Files.readAllBytes(directory.resolve(CERTIFICATE));
        key = Files.readAllBytes(directory.resolve(KEY));
    }
}
