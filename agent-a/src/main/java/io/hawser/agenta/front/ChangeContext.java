package io.hawser.agenta.front;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.Requester;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.CompletionRule;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;

/**
 * For whom changes of names are made, and how long their ends are awaited.
 *
 * @param requester the client
 * @param custody how far a change of a path must come
 * @param completion how many far ends count
 * @param waitTime how long a client waits for that
 */
public record ChangeContext(
        NamespaceService names,
        Requester requester,
        Function<FtpPath, CustodyLevel> custody,
        CompletionRule completion,
        Duration waitTime,
        ScheduledExecutorService loop) {
    Account account() {
        return requester.account();
    }
}
