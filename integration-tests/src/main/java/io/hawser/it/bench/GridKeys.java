package io.hawser.it.bench;

import io.hawser.it.bench.links.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A grid of two days for a bench, made by openssl: a CA, a host and a user that grid-mapfiles map to the account that the bench runs in.
 *
 * @param trusted the directory of trusted CAs
 * @param host certificate and key of 127.0.0.1
 * @param user certificate and key of the user
 * @param map the grid-mapfile
 */
record GridKeys(Path trusted, Path host, Path user, Path map) {
    private static final List<String> PROGRAMS = List.of("openssl", "globus-url-copy", "globus-gridftp-server");
    private static final String USER = "/O=Hawser Bench/OU=Users/CN=Bench";

    /** Which programs are not installed. */
    static List<String> missing() {
        return Programs.missing(PROGRAMS);
    }

    /** The environment of the user's programs. */
    Map<String, String> ofUser() {
        return environment(user);
    }

    /** The environment of a server. */
    Map<String, String> ofServer() {
        Map<String, String> environment = new HashMap<>(environment(host));
        environment.put("GRIDMAP", map.toString());
        return environment;
    }

    private Map<String, String> environment(Path own) {
        return Map.of(
                "X509_CERT_DIR", trusted.toString(), "X509_USER_CERT", own.toString(), "X509_USER_KEY", own.toString());
    }

    static GridKeys make(Path directory) throws IOException, InterruptedException {
        Path trusted = Files.createDirectories(directory.resolve("certificates"));
        run(
                directory,
                "req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj".split(" "),
                "/O=Hawser Bench/CN=CA");
        String hash = run(directory, "x509 -subject_hash -noout -in ca.pem".split(" "));
        Files.copy(directory.resolve("ca.pem"), trusted.resolve(hash + ".0"));
        Files.writeString(trusted.resolve(hash + ".signing_policy"), """
                access_id_CA  X509    '/O=Hawser Bench/CN=CA'
                pos_rights    globus  CA:sign
                cond_subjects globus  '"/O=Hawser Bench/*"'
                """);
        Path map = Files.writeString(
                directory.resolve("grid-mapfile"), "\"" + USER + "\" " + System.getProperty("user.name") + "\n");
        return new GridKeys(
                trusted,
                signed(
                        directory,
                        "host",
                        "/O=Hawser Bench/OU=Hosts/CN=localhost",
                        "subjectAltName=DNS:localhost,IP:127.0.0.1"),
                signed(directory, "user", USER, "extendedKeyUsage=clientAuth"),
                map);
    }

    private static Path signed(Path directory, String name, String subject, String extension)
            throws IOException, InterruptedException {
        Files.writeString(
                directory.resolve(name + ".ext"),
                "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,keyEncipherment\n" + extension
                        + "\n");
        run(
                directory,
                ("req -new -newkey rsa:2048 -nodes -keyout " + name + ".key -out " + name + ".csr -subj").split(" "),
                subject);
        run(
                directory,
                ("x509 -req -days 2 -in " + name + ".csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile " + name
                                + ".ext -out " + name + ".crt")
                        .split(" "));
        Path file = directory.resolve(name + ".pem");
        Files.writeString(
                file,
                Files.readString(directory.resolve(name + ".crt"))
                        + Files.readString(directory.resolve(name + ".key")));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static String run(Path directory, String[] words, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(words));
        command.addAll(List.of(more));
        Path log = directory.resolve("openssl.log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(log.toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + Files.readString(log));
        }
        return said;
    }
}
