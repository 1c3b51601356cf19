package io.hawser.agenta.http;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.ClientTransfer;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.audit.Audit;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Notes what a request did: uploads, downloads and changes of names, each with its result, as other fronts do. What only asks is noted if it
 * was refused a file.
 *
 * <p>Thread: the loop.
 */
final class RequestRecords {
    private final ClientRequest request;
    private final long beganNanos = System.nanoTime();
    private String object = "-";
    private boolean noted;

    RequestRecords(ClientRequest request) {
        this.request = request;
    }

    /** What the request is about. */
    void object(String path) {
        object = path;
    }

    private ClientServices clients() {
        return request.services().clients();
    }

    private InetSocketAddress peer() {
        return request.head().peer();
    }

    /** A password was checked, or was not. */
    void login(String name, String result) {
        clients().audit().note(name.isEmpty() ? "-" : name, "login", "-", peer(), result);
    }

    /** An upload has begun. */
    void uploads(TransferKey key) {
        clients().transfers().began(key, peer());
    }

    /** The request has its final response, which is a refusal unless {@code refusal} is empty. */
    void responded(String refusal) {
        String method = request.head().method();
        boolean isNoted = request.isChange() || (method.equals("GET") && !refusal.isEmpty());
        if (!noted && isNoted && !request.who().equals("-")) {
            noted = true;
            clients().audit().note(request.who(), method, object, peer(), result(refusal));
        }
    }

    /** An upload or download is over, with this response or at the end of the connection. */
    void moved(String key, long bytes, String refusal) {
        if (noted) {
            return;
        }
        noted = true;
        Duration took = Duration.ofNanos(System.nanoTime() - beganNanos);
        String who = request.who();
        String result = result(refusal);
        clients()
                .audit()
                .transfer(
                        who,
                        request.head().method(),
                        object,
                        peer(),
                        result,
                        new Audit.Moved(key, bytes, took.toMillis()));
        clients()
                .transfers()
                .ended(new ClientTransfer(
                        !key.isEmpty(),
                        request.path(),
                        who,
                        who.equals(Account.ANONYMOUS),
                        peer(),
                        key,
                        bytes,
                        took,
                        false,
                        result));
    }

    private static String result(String refusal) {
        return refusal.isEmpty() ? Audit.OK : refusal;
    }
}
