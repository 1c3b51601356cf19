package io.hawser.gsi.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.gsi.name.GridMap;
import io.hawser.gsi.path.SigningPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Files of a grid, which operators and programs write: they are read, or refused with a sentence. */
class GsiTextFuzzTest {
    private static final DistinguishedName AUTHORITY = DistinguishedName.parse("/O=Test Grid/CN=Test Grid CA");
    private static final DistinguishedName ANNA = DistinguishedName.parse("/O=Test Grid/OU=Users/CN=Anna");

    @TempDir
    static Path directory;

    private static List<String> lines(byte[] data) {
        return List.of(new String(data, StandardCharsets.UTF_8).split("\r?\n"));
    }

    @FuzzTest(maxDuration = "1m")
    void signingPolicy(byte[] data) {
        SigningPolicy policy;
        try {
            policy = SigningPolicy.parse(lines(data));
        } catch (GsiException e) {
            assertThat(e.why()).startsWith("line ");
            return;
        }
        if (policy.allows(AUTHORITY, ANNA)) {
            assertThat(new String(data, StandardCharsets.UTF_8)).contains("CA:sign");
        }
    }

    /** A line is used or complained about, never both. */
    @FuzzTest(maxDuration = "1m")
    void gridMap(byte[] data) {
        List<String> problems = new ArrayList<>();

        GridMap map = GridMap.parse(lines(data), problems::add);

        assertThat(map.size() + problems.size()).isLessThanOrEqualTo(lines(data).size());
        assertThat(problems).allSatisfy(problem -> assertThat(problem).matches("(?s)line \\d+: .+"));
        List<String> accounts = map.accounts(ANNA);
        assertThat(accounts).allSatisfy(account -> assertThat(account).isNotEmpty());
        assertThat(map.account(ANNA, "")).isEqualTo(accounts.stream().findFirst());
    }

    /** What is read is printable, is read again as the same name, and fits itself as a pattern. */
    @FuzzTest(maxDuration = "1m")
    void name(byte[] data) {
        DistinguishedName name;
        try {
            name = DistinguishedName.parse(new String(data, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        assertThat(name.toString()).matches("[ -~]+");
        assertThat(DistinguishedName.parse(name.toString())).isEqualTo(name).hasSameHashCodeAs(name);
        assertThat(name.matches(name.toString())).isTrue();
    }

    @FuzzTest(maxDuration = "2m")
    void pem(byte[] data) throws IOException {
        Path file = Files.write(directory.resolve("file.pem"), data);
        try {
            for (X509Certificate certificate : PemFile.read(file).certificates()) {
                assertThat(DistinguishedName.of(certificate.getSubjectX500Principal()))
                        .isNotNull();
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(file.toString());
        }
    }

    /** The first byte says which file of a directory of trusted CAs the others are. What cannot be read is left out. */
    @FuzzTest(maxDuration = "2m")
    void trusted(byte[] data) throws IOException {
        if (data.length == 0) {
            return;
        }
        Path place = Files.createDirectories(directory.resolve("trusted"));
        Path file = place.resolve(
                "01234567" + List.of(".0", ".r0", ".signing_policy").get((data[0] & 0xFF) % 3));
        Files.write(file, Arrays.copyOfRange(data, 1, data.length));
        try {
            assertThat(TrustFiles.list(place).read()).isNotNull();
        } finally {
            Files.delete(file);
        }
    }
}
