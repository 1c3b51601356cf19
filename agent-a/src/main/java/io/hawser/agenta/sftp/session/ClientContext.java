package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.front.ChangeContext;
import io.hawser.agenta.front.NameChanges;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.agenta.namespace.Requester;
import io.hawser.agenta.upload.UploadService;
import io.hawser.core.ftp.FtpPath;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * One client that is logged in: what it may do, and what it is served with.
 *
 * <p>Thread: the loop.
 */
final class ClientContext {
    private static final int TRIPS = 4;
    /** The time that was measured has the client's own in it, so that it is not believed without a bound. */
    private static final long MAX_TRIPS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SessionServices services;
    private final Account account;
    private final ClientNotes notes;
    private final Requester requester;
    private final ChangeContext changeContext;
    private final NameChanges changes;
    private long roundTripNanos = Long.MAX_VALUE;

    ClientContext(SessionServices services, Account account, InetSocketAddress peer) {
        this.services = services;
        this.account = account;
        this.notes = new ClientNotes(services.clients(), account, peer);
        this.requester = new Requester(account, UnaryOperator.identity());
        this.changeContext = new ChangeContext(
                services.files().names(),
                requester,
                this::custody,
                services.policy().custody().completion(),
                services.policy().custodyWait(),
                services.loop());
        this.changes = new NameChanges(changeContext);
    }

    /** The client has answered something within that time: a round trip takes no longer. */
    void answeredWithin(long nanos) {
        roundTripNanos = Math.min(roundTripNanos, nanos);
    }

    /** How long it must live on after CLOSE. */
    long evidenceNanos() {
        boolean isMeasured = roundTripNanos != Long.MAX_VALUE;
        long trips = isMeasured ? TRIPS * Math.min(roundTripNanos, MAX_TRIPS_NANOS / TRIPS) : 0;
        return Math.max(services.policy().evidenceWindow().toNanos(), trips);
    }

    private CustodyLevel custody(FtpPath path) {
        CustodyLevel own = account.custody();
        return own != null ? own : services.policy().custody().of(path);
    }

    SessionServices services() {
        return services;
    }

    NamespaceService names() {
        return services.files().names();
    }

    UploadService uploads() {
        return services.files().uploads();
    }

    Account account() {
        return account;
    }

    Requester requester() {
        return requester;
    }

    ClientNotes notes() {
        return notes;
    }

    ChangeContext changeContext() {
        return changeContext;
    }

    NameChanges changes() {
        return changes;
    }

    /** Why the account may not do that, if so. */
    Optional<RequestFailure> refusal(Permission permission) {
        return account.may(permission)
                ? Optional.empty()
                : Optional.of(new RequestFailure(
                        Reason.DENIED,
                        RequestFailure.PERMISSION_DENIED + ": account " + account.name() + " may not "
                                + word(permission)));
    }

    private static String word(Permission permission) {
        return switch (permission) {
            case READ -> "download";
            case WRITE -> "upload or change anything";
            case LIST -> "list";
            case DELETE -> "delete";
        };
    }

    /** The path that a client names. */
    FtpPath resolve(String name) throws FtpPath.BadNameException {
        return account.root().resolve(name);
    }
}
