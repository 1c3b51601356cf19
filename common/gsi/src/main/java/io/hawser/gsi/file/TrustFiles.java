package io.hawser.gsi.file;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.Authority;
import io.hawser.gsi.path.SigningPolicy;
import io.hawser.gsi.path.TrustAnchors;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and reads the files of a directory of trusted CAs.
 *
 * <p>A CA may be there twice, under today's hash and that of old programs; its policy and revocation lists are found under either. While a revocation
 * list cannot be read, nothing of its CA is accepted.
 */
final class TrustFiles {
    private static final Logger LOG = LoggerFactory.getLogger(TrustFiles.class);
    private static final Pattern CERTIFICATE = Pattern.compile("[0-9a-f]{8}\\.[0-9]{1,3}");
    private static final Pattern LIST = Pattern.compile("[0-9a-f]{8}\\.r[0-9]{1,3}");
    private static final String POLICY = ".signing_policy";
    private static final int HASH_LENGTH = 8;
    private static final long MAX_FILES = 100_000;

    private final List<Path> files;
    private final List<FileState> states;

    private TrustFiles(List<Path> files, List<FileState> states) {
        this.files = files;
        this.states = states;
    }

    static TrustFiles list(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(TrustFiles::isRelevant).sorted().limit(MAX_FILES).toList();
        } catch (IOException e) {
            throw new IOException("cannot read the directory of trusted CAs " + directory, e);
        }
        return new TrustFiles(files, FileState.of(files));
    }

    private static boolean isRelevant(Path file) {
        String name = name(file);
        return CERTIFICATE.matcher(name).matches()
                || LIST.matcher(name).matches()
                || (name.endsWith(POLICY) && name.length() == HASH_LENGTH + POLICY.length());
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Identifies this version of the directory. */
    List<FileState> states() {
        return states;
    }

    /** Reads the files; skips and logs those that cannot be used. */
    TrustAnchors read() {
        Map<X509Certificate, Set<String>> hashes = new LinkedHashMap<>();
        Map<String, SigningPolicy> policies = new LinkedHashMap<>();
        Map<String, Collection<X509CRL>> lists = new LinkedHashMap<>();
        Set<String> unreadable = new LinkedHashSet<>();
        for (Path file : files) {
            String hash = name(file).substring(0, HASH_LENGTH);
            try {
                if (name(file).endsWith(POLICY)) {
                    policies.put(hash, policy(file));
                } else if (LIST.matcher(name(file)).matches()) {
                    lists.computeIfAbsent(hash, key -> new ArrayList<>()).addAll(lists(file));
                } else {
                    for (X509Certificate certificate : PemFile.read(file).certificates()) {
                        hashes.computeIfAbsent(certificate, key -> new LinkedHashSet<>())
                                .add(hash);
                    }
                }
            } catch (IOException | GsiException e) {
                if (LIST.matcher(name(file)).matches()) {
                    unreadable.add(hash);
                }
                LOG.atWarn()
                        .addKeyValue("file", file)
                        .addKeyValue("reason", e.getMessage())
                        .log("skipping a file of the trusted CAs");
            }
        }
        List<Authority> authorities = new ArrayList<>();
        hashes.forEach(
                (certificate, names) -> authorities.add(authority(certificate, names, policies, lists, unreadable)));
        return new TrustAnchors(authorities);
    }

    private static Authority authority(
            X509Certificate certificate,
            Set<String> names,
            Map<String, SigningPolicy> policies,
            Map<String, Collection<X509CRL>> lists,
            Set<String> unreadable) {
        @Nullable SigningPolicy policy = null;
        List<X509CRL> mine = new ArrayList<>();
        boolean readable = true;
        for (String name : names) {
            policy = policy == null ? policies.get(name) : policy;
            readable &= !unreadable.contains(name);
            lists.getOrDefault(name, List.of()).stream()
                    .filter(list -> list.getIssuerX500Principal().equals(certificate.getSubjectX500Principal()))
                    .forEach(mine::add);
        }
        return new Authority(certificate, policy, mine, readable);
    }

    private static SigningPolicy policy(Path file) throws IOException, GsiException {
        String text = new String(RegularFileReader.readAllBytes(file), StandardCharsets.UTF_8);
        return SigningPolicy.parse(List.of(text.split("\r?\n")));
    }

    /** One list in PEM or DER, or several in PEM. */
    private static Collection<X509CRL> lists(Path file) throws IOException {
        try {
            ByteArrayInputStream in = new ByteArrayInputStream(RegularFileReader.readAllBytes(file));
            List<X509CRL> lists = CertificateFactory.getInstance("X.509").generateCRLs(in).stream()
                    .map(X509CRL.class::cast)
                    .toList();
            if (lists.isEmpty()) {
                throw new IOException("it holds no revocation list");
            }
            return lists;
        } catch (CRLException | CertificateException e) {
            throw new IOException("it is not a revocation list: " + e.getMessage(), e);
        }
    }
}
