package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.ClientTransfer;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.audit.Audit;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Notes what one client does: its uploads and downloads, and its changes of names, times and modes. What only asks is not noted.
 *
 * <p>Thread: the loop.
 */
final class ClientNotes {
    private final ClientServices clients;
    private final Account account;
    private final InetSocketAddress peer;

    ClientNotes(ClientServices clients, Account account, InetSocketAddress peer) {
        this.clients = clients;
        this.account = account;
        this.peer = peer;
    }

    static String result(Optional<RequestFailure> failure) {
        return failure.map(RequestFailure::words).orElse(Audit.OK);
    }

    void changed(String what, String object, Optional<RequestFailure> failure) {
        clients.audit().note(account.name(), what, object, peer, result(failure));
    }

    void uploadBegan(TransferKey key) {
        clients.transfers().began(key, peer);
    }

    void uploadEnded(FtpPath path, TransferKey key, long bytes, long beganNanos, String result) {
        ended("put", path, key.toString(), bytes, beganNanos, result);
    }

    void downloadEnded(FtpPath path, long bytes, long beganNanos, String result) {
        ended("get", path, "", bytes, beganNanos, result);
    }

    private void ended(String what, FtpPath path, String key, long bytes, long beganNanos, String result) {
        Duration took = Duration.ofNanos(System.nanoTime() - beganNanos);
        clients.audit()
                .transfer(
                        account.name(),
                        what,
                        path.toString(),
                        peer,
                        result,
                        new Audit.Moved(key, bytes, took.toMillis()));
        clients.transfers()
                .ended(new ClientTransfer(
                        !key.isEmpty(),
                        path,
                        account.name(),
                        account.name().equals(Account.ANONYMOUS),
                        peer,
                        key,
                        bytes,
                        took,
                        false,
                        result));
    }
}
