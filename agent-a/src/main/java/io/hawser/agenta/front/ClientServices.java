package io.hawser.agenta.front;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.LoginChecks;
import io.hawser.agenta.account.LoginCounts;
import io.hawser.agenta.account.LoginGuard;
import io.hawser.ops.audit.Audit;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * What the fronts of a node share about clients: who may log in, and where it is noted what they do.
 *
 * @param checks checks passwords
 * @param guard counts wrong passwords by address, whichever front they came by
 * @param counts counts the logins
 * @param audit where what clients do is noted
 * @param transfers learns of their uploads and downloads
 */
public record ClientServices(
        LoginChecks checks, LoginGuard guard, LoginCounts counts, Audit audit, ClientTransfers transfers)
        implements AutoCloseable {
    /**
     * For the logins of {@code accounts}.
     *
     * @param maxFailures wrong passwords from one address before none of its logins is checked, for {@code barTime}
     */
    public static ClientServices of(
            Accounts accounts,
            int maxFailures,
            Duration barTime,
            Executor loop,
            Audit audit,
            ClientTransfers transfers) {
        return new ClientServices(
                new LoginChecks(accounts, loop),
                new LoginGuard(maxFailures, barTime),
                new LoginCounts(),
                audit,
                transfers);
    }

    @Override
    public void close() {
        checks.close();
    }
}
