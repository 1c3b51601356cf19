package io.hawser.ops.keys;

import io.hawser.core.access.Grants;
import io.hawser.core.config.ConfigException;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.Role;
import io.hawser.ops.keys.CertificateAuthority.Subject;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Stores invitations of new nodes and redeems them. Each is good for one certificate, with the role, name, hosts and rights that were fixed when it was
 * made. They are in the directory {@code invitations} beside the CA's key: {@code ID.open} until used, {@code ID.taken} afterwards, with only a hash of
 * the secret. The file is renamed, and the rename forced, before anything is signed: so only one of two callers with one token gets a certificate, also
 * after a power cut.
 *
 * <p>Thread: any, in any number of processes.
 */
public final class Invitations {
    private static final String OPEN = ".open";
    private static final String TAKEN = ".taken";
    private static final String NO_MATCH = JoinToken.hash("no token has this secret");

    private final KeyDirectory authority;

    /** @param authority the directory with the CA's key */
    public Invitations(KeyDirectory authority) {
        this.authority = authority;
    }

    /**
     * What an invitation is for.
     *
     * @param role of the node
     * @param name its own
     * @param hosts names and addresses in its certificate; the node cannot add any
     * @param grants its rights
     * @param validity how long its certificate is valid
     */
    public record Terms(Role role, String name, Collection<String> hosts, Grants grants, Duration validity) {
        public Terms {
            hosts = Set.copyOf(hosts);
        }

        private Subject subject() {
            return new Subject(role, name, hosts, grants);
        }

        /** {@code ROLE:NAME}. */
        public String who() {
            return role.fileName() + ":" + name;
        }
    }

    /**
     * @param until when it expires if it is not used
     * @param taken whether it was used
     */
    public record Invitation(String id, Terms terms, Instant until, boolean taken) {}

    /** The answer to a node that joins, in PEM. {@code revocations} is empty if nothing was revoked. */
    public record Welcome(Role role, String name, String certificate, String ca, String revocations) {}

    /** A caller is refused. */
    public static final class NotInvitedException extends Exception {
        private static final long serialVersionUID = 1L;

        NotInvitedException(String reason) {
            super(reason);
        }

        /** The sentence for the caller. */
        public String reason() {
            return String.valueOf(getMessage());
        }
    }

    /** Makes an invitation and returns its token, which is not stored. */
    public JoinToken invite(Terms terms, Instant until) throws IOException {
        JoinToken token = JoinToken.random(CertificateAuthority.open(authority).certificate());
        terms.subject();
        String text = StoredInvitation.text(JoinToken.hash(token.secret()), terms, until);
        KeyMaker.makePrivate(directory());
        KeyMaker.writePrivate(file(token.id(), OPEN), text);
        return token;
    }

    /** All invitations, by when they expire. */
    public List<Invitation> all() throws IOException {
        List<Invitation> found = new ArrayList<>();
        if (Files.isDirectory(directory())) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory())) {
                for (Path file : files) {
                    String name = file.getFileName().toString();
                    boolean taken = name.endsWith(TAKEN);
                    String id = name.substring(0, Math.max(0, name.lastIndexOf('.')));
                    if ((taken || name.endsWith(OPEN)) && JoinToken.isId(id)) {
                        StoredInvitation text = read(file);
                        found.add(new Invitation(id, text.terms(), text.until(), taken));
                    }
                }
            }
        }
        found.sort(Comparator.comparing(Invitation::until));
        return found;
    }

    /**
     * @throws ConfigException if there is none, or it was used
     */
    public void withdraw(String id) throws IOException {
        if (!JoinToken.isId(id) || !Files.deleteIfExists(file(id, OPEN))) {
            throw new ConfigException(
                    "there is no open invitation '" + id + "' in " + authority.path()
                            + "; 'hawser keys list' shows them, and 'hawser keys revoke' revokes the certificate of a used one");
        }
        force();
    }

    /**
     * Redeems an invitation: signs its certificate. Checks the secret before anything else of the request.
     *
     * @param request a PKCS#10 request (DER): a public key, and the proof that the caller has its private key; its subject is ignored
     * @throws NotInvitedException with a sentence for the caller, which reveals nothing to a caller without the secret
     */
    public Welcome take(String id, String secret, byte[] request, Instant now) throws IOException, NotInvitedException {
        Found found = checked(id, secret);
        Terms terms = found.file.terms();
        if (found.taken) {
            throw new NotInvitedException(
                    "this invitation was used before; if not by you, somebody else has the keys of " + terms.who()
                            + ": ask the operator of the CA to run 'hawser keys revoke " + terms.who() + "'");
        }
        Instant until = found.file.until();
        if (now.isAfter(until)) {
            throw new NotInvitedException(
                    "this invitation ended on " + until + "; ask for a new one ('hawser keys invite')");
        }
        PublicKey key = JoinRequest.key(request);
        CertificateAuthority ca = CertificateAuthority.open(authority);
        try {
            Files.move(file(id, OPEN), file(id, TAKEN), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            throw new NotInvitedException("somebody else has just used this invitation");
        }
        force();
        X509Certificate certificate = ca.issue(key, terms.subject(), now, terms.validity());
        KeyMaker.keep(authority, certificate);
        String revocations = Files.exists(authority.revocations()) ? Files.readString(authority.revocations()) : "";
        return new Welcome(
                terms.role(),
                terms.name(),
                KeyMaker.pem(certificate),
                Files.readString(authority.caCertificate()),
                revocations);
    }

    private record Found(StoredInvitation file, boolean taken) {}

    /** The invitation with that secret. The time of a refusal reveals at most that the id exists, which is not secret. */
    private Found checked(String id, String secret) throws IOException, NotInvitedException {
        Optional<Found> found = JoinToken.isId(id) ? find(id) : Optional.empty();
        String hash = found.map(each -> each.file.secretHash()).orElse(NO_MATCH);
        if (!JoinToken.same(hash, JoinToken.hash(secret)) || found.isEmpty()) {
            throw new NotInvitedException("there is no such invitation");
        }
        return found.get();
    }

    private Optional<Found> find(String id) throws IOException {
        for (String ending : List.of(OPEN, TAKEN)) {
            try {
                return Optional.of(new Found(read(file(id, ending)), ending.equals(TAKEN)));
            } catch (NoSuchFileException e) {
                // it has the other ending, or does not exist
            }
        }
        return Optional.empty();
    }

    private static StoredInvitation read(Path file) throws IOException {
        return StoredInvitation.parse(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }

    /** The role of that name. Throws ConfigException if there is none. */
    static Role role(String word) {
        return Stream.of(Role.values())
                .filter(each -> each.fileName().equals(word))
                .findFirst()
                .orElseThrow(() -> new ConfigException("there is no role '" + word + "'"));
    }

    private Path directory() {
        return authority.path().resolve("invitations");
    }

    private Path file(String id, String ending) {
        return directory().resolve(id + ending);
    }

    private void force() throws IOException {
        try (FileChannel channel = FileChannel.open(directory(), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
