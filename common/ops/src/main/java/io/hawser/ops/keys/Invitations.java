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
 * Invitations of new nodes: each is good for one certificate, whose role, name, hosts and rights were fixed when it was made. They lie
 * beside the CA's key, in {@code invitations}: {@code ID.open} until somebody has taken it, {@code ID.taken} from then on. Of the secret
 * only a hash is kept. What is taken is renamed, and the rename forced, before anything is signed: of two who come with one token, one gets
 * a certificate, also when the machine loses power in between.
 *
 * <p>Thread: any, in any number of processes.
 */
public final class Invitations {
    private static final String OPEN = ".open";
    private static final String TAKEN = ".taken";
    private static final String NOBODYS = JoinToken.hash("no token has this secret");

    private final KeyDirectory authority;

    /** Those of a CA's directory. */
    public Invitations(KeyDirectory authority) {
        this.authority = authority;
    }

    /**
     * What an invitation is for.
     *
     * @param role of the node
     * @param name its own
     * @param hosts names and addresses that stand in its certificate; who joins cannot add any
     * @param grants its rights
     * @param life of its certificate
     */
    public record Terms(Role role, String name, Collection<String> hosts, Grants grants, Duration life) {
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
     * One of them.
     *
     * @param until when it ends, if nobody takes it before
     * @param taken whether somebody has
     */
    public record Invitation(String id, Terms terms, Instant until, boolean taken) {}

    /** What who joins is given: PEM texts. {@code revocations} is empty if nothing was revoked. */
    public record Welcome(Role role, String name, String certificate, String ca, String revocations) {}

    /** Why nobody is let in. */
    public static final class NotInvitedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final String reason;

        NotInvitedException(String reason) {
            super(reason);
            this.reason = reason;
        }

        /** The sentence for the caller. */
        public String reason() {
            return reason;
        }
    }

    /** Makes one, and returns its token, which is kept nowhere. */
    public JoinToken invite(Terms terms, Instant until) throws IOException {
        JoinToken token = JoinToken.random(CertificateAuthority.open(authority).certificate());
        terms.subject();
        String text = InvitationFile.text(JoinToken.hash(token.secret()), terms, until);
        KeyMaker.makePrivate(directory());
        KeyMaker.writePrivate(file(token.id(), OPEN), text);
        return token;
    }

    /** All that there are, those that end first before the others. */
    public List<Invitation> all() throws IOException {
        List<Invitation> found = new ArrayList<>();
        if (Files.isDirectory(directory())) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory())) {
                for (Path file : files) {
                    String name = file.getFileName().toString();
                    boolean taken = name.endsWith(TAKEN);
                    String id = name.substring(0, Math.max(0, name.lastIndexOf('.')));
                    if ((taken || name.endsWith(OPEN)) && JoinToken.isId(id)) {
                        InvitationFile text = read(file);
                        found.add(new Invitation(id, text.terms(), text.until(), taken));
                    }
                }
            }
        }
        found.sort(Comparator.comparing(Invitation::until));
        return found;
    }

    /**
     * Takes back one that nobody has taken.
     *
     * @throws ConfigException if there is none, or it was taken
     */
    public void withdraw(String id) throws IOException {
        if (!JoinToken.isId(id) || !Files.deleteIfExists(file(id, OPEN))) {
            throw new ConfigException("there is no open invitation '" + id + "' in " + authority.path()
                    + "; 'hawser keys list' shows them, and 'hawser keys revoke' ends what was taken");
        }
        force();
    }

    /**
     * Gives the certificate that an invitation is for. The secret is looked at before anything else of what the caller says.
     *
     * @param request a PKCS#10 request (DER): a public key, and the proof that the caller has its private key; its subject does not count
     * @throws NotInvitedException with a sentence for the caller, which tells who does not know the secret nothing
     */
    public Welcome take(String id, String secret, byte[] request, Instant now) throws IOException, NotInvitedException {
        Found found = checked(id, secret);
        Terms terms = found.file.terms();
        if (found.taken) {
            throw new NotInvitedException(
                    "this invitation was used before; if it was not you, somebody else has the keys of " + terms.who()
                            + ": tell who invited you, 'hawser keys revoke' ends them");
        }
        Instant until = found.file.until();
        if (now.isAfter(until)) {
            throw new NotInvitedException(
                    "this invitation ended on " + until + "; ask for another ('hawser keys invite')");
        }
        PublicKey key = JoinRequest.key(request);
        CertificateAuthority ca = CertificateAuthority.open(authority);
        try {
            Files.move(file(id, OPEN), file(id, TAKEN), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            throw new NotInvitedException("this invitation was used by somebody else at this moment");
        }
        force();
        X509Certificate certificate = ca.issue(key, terms.subject(), now, terms.life());
        KeyMaker.keep(authority, certificate);
        String revocations = Files.exists(authority.revocations()) ? Files.readString(authority.revocations()) : "";
        return new Welcome(
                terms.role(),
                terms.name(),
                KeyMaker.pem(certificate),
                Files.readString(authority.caCertificate()),
                revocations);
    }

    private record Found(InvitationFile file, boolean taken) {}

    /** The invitation whose secret that is. Who does not know it is told nothing; the time can tell at most that there is such an id, which is no secret. */
    private Found checked(String id, String secret) throws IOException, NotInvitedException {
        Optional<Found> found = JoinToken.isId(id) ? find(id) : Optional.empty();
        String hash = found.map(each -> each.file.secretHash()).orElse(NOBODYS);
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
                // it has the other ending, or there is none
            }
        }
        return Optional.empty();
    }

    private static InvitationFile read(Path file) throws IOException {
        return InvitationFile.parse(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }

    /** The role with those files. Throws ConfigException if there is none. */
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
